#!/usr/bin/env bash
# tests/package/smoke.sh PACKAGE.deb WORK: installs the package in a new, minimal Debian, starts the daemon as its unit would, and
# uses it. Needs root and debootstrap. systemd does not run there: what the unit promises, this script does.
set -euo pipefail

deb=$(realpath "$1") work=$2
root=$work/root
fail() { echo "smoke: $*" >&2 && exit 1; }
say() { echo "-- $*"; }
[ "$(id -u)" = 0 ] || fail "this needs root"
mirror=$(grep -hoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1 | tr -d ' ' || true)

daemon=""
clean_up() {
  if [ -n "$daemon" ]; then kill -KILL "$daemon" 2>/dev/null || true; fi
  umount "$root/proc" 2>/dev/null || true
}
trap clean_up EXIT

mkdir -p "$work"
if [ ! -e "$work/base.tar" ]; then
  say "A minimal Debian 12 (kept in $work/base.tar)"
  rm -rf "$root"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$work/debootstrap.log" 2>&1 ||
    { tail -5 "$work/debootstrap.log" >&2; fail "debootstrap failed"; }
  tar -C "$root" -cf "$work/base.tar.new" . && mv "$work/base.tar.new" "$work/base.tar"
fi
rm -rf "$root" && mkdir -p "$root"
tar -C "$root" -xf "$work/base.tar"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
cp "$deb" "$root/tmp/voxpath.deb"
mount -t proc proc "$root/proc"
# Everything runs in a network of its own, which has nothing but a loopback device.
inside() { chroot "$root" "$@"; }
alone() { unshare --net sh -c 'ip link set lo up 2>/dev/null || ifconfig lo up; exec "$@"' sh "$@"; }

say "Installing $(basename "$deb")"
inside env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends /tmp/voxpath.deb' \
  >"$work/install.log" 2>&1 || { tail -20 "$work/install.log" >&2; fail "the package could not be installed"; }
inside getent passwd voxpath >/dev/null || fail "there is no user voxpath"
[ "$(inside stat -c '%U:%G %a' /etc/voxpath)" = "root:voxpath 750" ] || fail "/etc/voxpath is open to others"
for file in /usr/bin/voxpathd /usr/bin/voxpath /usr/lib/systemd/system/voxpathd.service /usr/share/man/man8/voxpathd.8 \
  /usr/share/man/man1/voxpath.1 /usr/share/doc/voxpath/README.md /usr/share/doc/voxpath/THREAT_MODEL.md; do
  inside test -e "$file" || fail "$file is missing"
done
inside voxpathd --check-config --config /etc/voxpath/voxpathd.toml

say "Starting it as its unit does"
unit=$root/usr/lib/systemd/system/voxpathd.service
setting() { sed -n "s/^$1=//p" "$unit"; }
cat >>"$root/etc/voxpath/voxpathd.toml" <<'TOML'

[[world]]
name = "flat"
generate = "flat"
TOML
install -d -m 755 "$root/run/$(setting RuntimeDirectory)" "$root/var/lib/$(setting StateDirectory)"
inside chown "$(setting User):$(setting Group)" "/run/$(setting RuntimeDirectory)" "/var/lib/$(setting StateDirectory)"
log=$work/voxpathd.log
mapfile -t command < <(setting ExecStart | tr ' ' '\n')
alone chroot --userspec="$(setting User):$(setting Group)" "$root" "${command[@]}" >"$log" 2>&1 &
daemon=$!
waited=0
until grep -q event=ready "$log"; do
  kill -0 $daemon 2>/dev/null || { cat "$log" >&2; fail "the daemon ended"; }
  [ $((waited += 1)) -lt 300 ] || fail "the daemon was not ready after 30 s"
  sleep 0.1
done
[ "$(stat -c %a "$root/run/voxpath/voxpath.sock")" = 660 ] || fail "the socket's mode is wrong"
[ "$(ps -o user= -p $daemon)" != root ] || fail "the daemon runs as root"

say "Asking for paths"
expect_path() {
  nsenter --net=/proc/$daemon/ns/net chroot --userspec="$1" "$root" voxpath path --server "$2" --from=0,64,0 --to=5,64,0 --json >"$work/path.json" ||
    fail "no path by $2"
  grep -qE '"cost": ?50\b' "$work/path.json" || { cat "$work/path.json" >&2; fail "another path than expected by $2"; }
}
expect_path nobody:nogroup 127.0.0.1:7420
expect_path nobody:voxpath unix:/run/voxpath/voxpath.sock
if nsenter --net=/proc/$daemon/ns/net chroot --userspec=nobody:nogroup "$root" voxpath path --server unix:/run/voxpath/voxpath.sock \
  --from=0,64,0 --to=5,64,0 >/dev/null 2>&1; then fail "who is not in the group came in by the socket"; fi

say "Reloading and ending it"
kill -HUP $daemon
until grep -q 'event=reloaded' "$log"; do kill -0 $daemon; sleep 0.1; done
kill -TERM $daemon
status=0
wait $daemon || status=$?
daemon=""
[ $status = 0 ] || fail "it ended with $status"
[ ! -e "$root/run/voxpath/voxpath.sock" ] || fail "it left its socket behind"

say "Installing it again, removing it, purging it"
inside env DEBIAN_FRONTEND=noninteractive dpkg -i --force-confold /tmp/voxpath.deb >>"$work/install.log" 2>&1 || fail "a second installation failed"
grep -q 'name = "flat"' "$root/etc/voxpath/voxpathd.toml" || fail "the changed configuration was overwritten"
inside dpkg --remove voxpath >>"$work/install.log" 2>&1 || fail "it cannot be removed"
[ -e "$root/etc/voxpath/voxpathd.toml" ] || fail "removing took the configuration"
inside dpkg --purge voxpath >>"$work/install.log" 2>&1 || fail "it cannot be purged"
[ ! -e "$root/etc/voxpath" ] || fail "purging left the configuration"
echo "The package installs, starts, answers, reloads, ends and goes."
