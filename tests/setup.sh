# shellcheck shell=bash
# What ./run, ./test and .ci/run share; to be sourced in the project's root.
# say TEXT · die TEXT · need_packages GROUP... · need_promtool · configure PRESET [CMAKE OPTION...] · build PRESET [CMAKE OPTION...]

say() { printf '\n== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# The packages of the groups in .packages that are not there yet.
missing_packages() {
  local group package _ status
  while read -r group package _; do
    case " $* " in *" $group "*) ;; *) continue ;; esac
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=absent
    [ "$status" = installed ] || printf '%s ' "$package"
  done < <(grep -v '^#' .packages)
}

need_packages() {
  command -v dpkg-query >/dev/null || { say "This is no Debian: the packages of .packages are taken to be there"; return; }
  local missing root="" try
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  say "Installing Debian packages: $missing"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing, and you are neither root nor have sudo: $missing"
    root=sudo
  fi
  for try in 1 2 3; do
    # shellcheck disable=SC2086 # a list of words
    $root apt-get update -qq && $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
      >/dev/null && return 0
    [ "$try" = 3 ] || { echo "That failed; trying again in $((try * 10)) s."; sleep $((try * 10)); }
  done
  die "apt-get could not install: $missing"
}

# Prometheus' checker of metrics, out of Debian's package: installed whole, that would start a server and fill 96 MB.
need_promtool() {
  if command -v promtool >/dev/null || [ -x build/tools/promtool ] || ! command -v dpkg-deb >/dev/null; then return 0; fi
  say "Fetching promtool out of Debian's package prometheus"
  mkdir -p build/tools
  (
    cd build/tools && rm -f prometheus_*.deb &&
      { apt-get download -qq prometheus 2>/dev/null ||
        { [ "$(id -u)" = 0 ] && apt-get update -qq && apt-get download -qq prometheus; }; } &&
      dpkg-deb --fsys-tarfile prometheus_*.deb | tar x --strip-components=3 ./usr/bin/promtool && rm -f prometheus_*.deb
  ) || say "promtool is not to be had: the test that holds the metrics against it is left out"
}

configure() {
  local preset=$1
  shift
  local launcher=()
  if command -v ccache >/dev/null; then launcher=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  cmake --preset "$preset" "${launcher[@]}" "$@" >"build/configure-$preset.log" 2>&1 || {
    cat "build/configure-$preset.log" >&2
    die "cmake --preset $preset failed"
  }
}

build() {
  local preset=$1
  shift
  cmake --build "build/$preset" "$@" || die "the build in build/$preset failed"
}

export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
mkdir -p build
