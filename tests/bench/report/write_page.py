#!/usr/bin/env python3
"""One page, in one file, of all figures that the benchmarks left.

write_page.py BUILD_FOLDER

Reads what there is of BUILD_FOLDER/peers/results/summary.json (./test --peers), bench/workloads.tsv and bench/parts.json (./test --bench)
and bench/instructions/instructions.tsv (./test --instructions); writes bench/report.html. What is not there is said to be missing.
"""
import csv
import datetime
import json
import os
import pathlib
import platform
import re
import sys

sys.dont_write_bytecode = True  # drawing.py lies among the sources

from drawing import bytes_text, dot_plot, escape, line_plot, number_text, page, table, time_text

NAMES = {
    "project": "voxpath",
    "dense": "dense arrays",
    "naive": "hash map + heap",
    "recast": "Recast/Detour",
    "luanti": "Luanti",
    "luanti-A": "Luanti, A* prefetch",
    "luanti-16": "Luanti, near",
    "luanti-dij": "Luanti, Dijkstra",
    "mfp-walk": "mineflayer-pathfinder",
    "mfp-walk4": "mineflayer-p., 4 sides",
    "mfp-lean": "mineflayer-p., lean blocks",
    "mfp-stock": "mineflayer-p., digging",
}
MAIN = ["project", "dense", "naive", "recast", "luanti", "mfp-walk"]
WORKLOADS = {
    "W1": "flat, 20 % walls",
    "W2": "terrain",
    "W3": "three storeys",
    "W4": "maze",
    "W6": "1,024 blocks",
    "W7": "blocks at head height",
    "W11": "4,096 blocks",
    "W12": "caves",
    "W13": "re-planning",
    "W14": "scale of the world",
    "W5": "unreachable: pillar, room",
    "W5s": "unreachable: world cut in two",
}
TABLE = pathlib.Path(__file__).parent.parent / "instructions" / "instructions.tsv"


def heading(title, *texts):
    return f"<h2>{escape(title)}</h2>" + "".join(f"<p>{escape(text)}</p>" for text in texts)


def missing(what, command):
    return f"<p class=note>No {escape(what)} here: {escape(command)} measures them.</p>"


def when(file):
    return datetime.datetime.fromtimestamp(file.stat().st_mtime).strftime("%Y-%m-%d %H:%M")


def peer_name(key):
    return (NAMES.get(key, key), "ours") if key == "project" else NAMES.get(key, key)


class Peers:
    """summary.json: for each peer and workload, as analyse.py found it."""

    def __init__(self, file):
        self.at = when(file)
        self.figures = {tuple(key.split("|")): value for key, value in json.loads(file.read_text()).items()}
        self.workloads = [name for name in WORKLOADS if any(w == name for _, w in self.figures)]
        known = {peer for peer, _ in self.figures}
        self.peers = [name for name in NAMES if name in known] + sorted(known - NAMES.keys())

    def rows(self, cell, workloads=None, peers=None):
        """A row for each peer; `cell` gets the figures of one workload."""
        rows = []
        for peer in peers or self.peers:
            found = [self.figures.get((peer, workload)) for workload in workloads or self.workloads]
            if any(found):
                rows.append([peer_name(peer)] + [cell(one) if one else "–" for one in found])
        return rows

    def table(self, cell, *notes, workloads=None):
        return table(["", *(workloads or self.workloads)], self.rows(cell, workloads), notes)

    def ratios(self):
        def cell(one):
            ratio = (one.get("times_ours") or {}).get("sum")
            return "–" if ratio is None else (f"× {number_text(ratio)}", "win" if ratio >= 1 else "lose")

        others = [peer for peer in self.peers if peer != "project"]
        legend = " · ".join(f"{name} {text}" for name, text in WORKLOADS.items() if name in self.workloads)
        return heading(
            "How many times as long the peers take",
            "Processor time of a peer over that of voxpath, on the queries that both were asked, all together, in one run. Below 1 "
            "the peer is faster. A peer that gives up early, or walks where no mob can, is fast too: see the answers further down.",
        ) + table(["", *self.workloads], self.rows(cell, peers=others), [legend])

    def times(self):
        all_times = [one[key] for (peer, _), one in self.figures.items() if peer in MAIN for key in ("med", "p99")]
        plots = []
        for workload in self.workloads:
            rows = [
                (NAMES[peer], one["med"], one["p99"], peer == "project") for peer in MAIN if (one := self.figures.get((peer, workload)))
            ]
            plots.append(dot_plot(f"{workload}: {WORKLOADS[workload]}", rows, all_times, [NAMES[peer] for peer in MAIN]))
        reach = [name for name in self.workloads if name not in ("W5", "W5s")]
        impossible = [name for name in self.workloads if name in ("W5", "W5s")]
        return (
            heading(
                "Time of a query",
                "Processor time of the searching thread: a dot at the median, a line to the 99th percentile. All plots have "
                "the same axis.",
            )
            + f"<div class=plots>{''.join(plots)}</div>"
            + heading("Median and 99th percentile")
            + self.table(lambda one: f"{time_text(one['med'])} / {time_text(one['p99'])}", workloads=reach)
            + heading("Queries a second on one core")
            + self.table(lambda one: number_text(one["qps"]))
            + (
                heading("“There is no path”: median and 99th percentile, and what was answered")
                + self.table(
                    lambda one: f"{time_text(one['med'])} / {time_text(one['p99'])}, "
                    + ", ".join(f"{status} {count}" for status, count in one["status"].items()),
                    workloads=impossible,
                )
                if impossible
                else ""
            )
        )

    def quality(self):
        reach = [name for name in self.workloads if name not in ("W5", "W5s")]
        return (
            heading(
                "Answers: found of asked, and how many of them can be walked",
                "Every path is walked block by block after the run, by the rule of the workloads.",
            )
            + self.table(
                lambda one: f"{one['found']:.0f} / {one['n']:.0f}, {one['valid']:.0f}"
                + ("" if one["valid"] == one["found"] else " of them"),
                workloads=reach,
            )
            + heading(
                "Length over the optimum: mean (worst)", "Of paths that can be walked; the optimum comes from the generator's own search."
            )
            + self.table(lambda one: f"{one['ratio']:.3f} ({one['rmax']:.2f})" if one["ratio"] else "–", workloads=reach)
            + heading("Nodes expanded by a query, median", "Recast counts polygons; Luanti does not say.")
            + self.table(lambda one: number_text(one["exp"]) if one["exp"] >= 0 else "–")
            + heading("Time per expansion, ns")
            + self.table(lambda one: number_text(one["ns_exp"]) if one.get("ns_exp") else "–")
        )

    def derived(self):
        rows = []
        for workload in self.workloads:
            ours = self.figures.get(("project", workload), {}).get("meta", {})
            recast = self.figures.get(("recast", workload), {}).get("meta", {})
            rows.append(
                [
                    workload,
                    time_text(ours["build_ms"] * 1e3) if "build_ms" in ours else "–",
                    bytes_text(ours["derived_bytes"]) if "derived_bytes" in ours else "–",
                    bytes_text(ours["derived_bytes_per_chunk"]) if "derived_bytes_per_chunk" in ours else "–",
                    time_text(recast["build_us"]) if "build_us" in recast else "–",
                    bytes_text(recast["bytes"]) if "bytes" in recast else "–",
                    time_text(ours["edit_us"]) if "edit_us" in ours else "–",
                    time_text(recast["tile_us_median"]) if "tile_us_median" in recast else "–",
                ]
            )
        return heading(
            "Derived data and block edits: time and bytes",
            "What searches share. voxpath works it out when a search first gets there; its time here is that "
            "of the first pass over all queries, searching included. Recast has to build its mesh before. After a block edit voxpath's "
            "time is until all moves that feel it are exact again; Recast has to build at least one tile anew.",
        ) + table(
            ["", "voxpath, first pass", "voxpath", "a chunk", "Recast, mesh", "Recast", "voxpath, block edit", "Recast, one tile"], rows
        )

    def body(self):
        return (
            self.ratios()
            + self.times()
            + self.quality()
            + self.derived()
            + f"<p class=note>Peers: measured {self.at}, {max(one['runs'] for one in self.figures.values())} run(s); of each query the median of the runs.</p>"
        )


def value(row, column):
    return None if row[column] == "-" else float(row[column])


def workload_table(rows):
    """Without the columns that none of the rows has."""
    columns = [
        ("queries", "queries", number_text),
        ("median_us", "median", time_text),
        ("p99_us", "p99", time_text),
        ("queries_per_s", "queries/s", number_text),
        ("expanded", "expanded", number_text),
        ("ns_per_expansion", "ns/expansion", number_text),
        ("over_optimum", "over optimum", "{:.3f}".format),
        ("build_us_per_chunk", "build, a chunk", time_text),
        ("bytes_per_chunk", "bytes, a chunk", bytes_text),
        ("edit_us", "edit", time_text),
        ("first_pass_ms", "first pass", lambda ms: time_text(ms * 1e3)),
        ("shared_percent", "by the shared search", "{:.0f} %".format),
    ]
    columns = [column for column in columns if any(row[column[0]] != "-" for row in rows)]
    cells = [
        [row["case"]] + ["–" if row[name] == "-" else text(value(row, name)) for name, _, text in columns] + [(row["answers"], "text")]
        for row in rows
    ]
    notes = [f"{row['case']}: {row['note']}." for row in rows if row["note"] != "-"]
    return table(["", *(title for _, title, _ in columns), ("answers", "text")], cells, notes)


def workloads_body(file):
    with file.open(encoding="utf-8") as text:
        rows = list(csv.DictReader(text, delimiter="\t"))
    parts = [
        heading(
            "voxpath alone: real worlds, hordes, edits, long ways, caves",
            "Prices and movement rules as by default. W8: the questions of the reference tables, in real worlds; over the optimum is the "
            "cost against theirs; in the first pass what searches share is worked out. W9: many mobs with one target within 48 blocks; times are "
            "of one mob, and of those together the mean of their horde. W10: searches in a world that changes; edit is the storing of a block, "
            "its moves are worked out by the query that meets them. "
            "W11: 4,096 blocks over generated terrain. W12: caves. W13: re-planning. W14: the scale of the world.",
        )
    ]
    for workload in dict.fromkeys(row["workload"] for row in rows):
        mine = [row for row in rows if row["workload"] == workload]
        timed = [row for row in mine if value(row, "median_us") is not None]
        if timed:
            drawn = [
                (row["case"], value(row, "median_us"), value(row, "p99_us"), not re.search(r"each alone|no path", row["case"]))
                for row in timed
            ]
            parts.append(f"<div class=plots>{dot_plot(workload, drawn, [v for row in drawn for v in row[1:3]])}</div>")
        parts.append(workload_table(mine))
        if workload == "W9":
            parts.append(horde_plot(timed))
    return "".join(parts) + f"<p class=note>Workloads: measured {when(file)}.</p>"


def horde_plot(rows):
    lines = {}
    for row in rows:
        found = re.fullmatch(r"(\w+), (\d+) mobs?,? (together|each alone)", row["case"])
        if found:
            lines.setdefault((found[1], found[3]), []).append((float(found[2]), 1e6 / float(row["queries_per_s"])))
    places = sorted({place for place, _ in lines})
    drawn = [(f"{place}, {how}", places.index(place) + 1, how != "together", points) for (place, how), points in lines.items()]
    return f"<div class=plots>{line_plot('W9: mean time of one mob', 'mobs with one target', '', drawn)}</div>" if drawn else ""


def parts_body(file):
    found = json.loads(file.read_text())
    rows = []
    for one in found["benchmarks"]:
        if one.get("run_type") == "aggregate" or one.get("error_occurred"):
            continue
        us = one["cpu_time"] * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[one["time_unit"]]
        counters = {
            name: one[name] for name in ("per_mob", "per_chunk", "bytes_per_chunk", "bytes", "moves", "by_field", "kept") if name in one
        }
        text = ", ".join(
            f"{name} {time_text(value * 1e6) if name in ('per_mob', 'per_chunk') else number_text(value)}"
            for name, value in counters.items()
        )
        rows.append([one["name"], time_text(us), f"{one['iterations']:,}", (text, "text")])
    context = found["context"]
    return (
        heading(
            "Parts",
            "Google Benchmark, processor time. edit/moves is a block edit with all moves exact after it, edit/moves_and_regions also "
            "with the regions and what reaches what.",
        )
        + table(["", "time", "iterations", ("counters", "text")], rows)
        + f"<p class=note>Parts: measured {when(file)}, {context['num_cpus']} cores, load {', '.join(f'{v:.1f}' for v in context.get('load_avg', []))}.</p>"
    )


def read_counts(file):
    lines = file.read_text().splitlines()
    return lines[0][2:], {line.split("\t")[0]: [int(v) for v in line.split("\t")[1:]] for line in lines[2:]}


def instructions_body(file):
    by, counts = read_counts(file)
    known_by, known = read_counts(TABLE)
    rows = []
    for name, (units, expanded, instructions) in counts.items():
        before = known.get(name)
        change = f"{instructions / before[2] - 1:+.2%}" if before and before[0] == units else "–"
        rows.append(
            [
                name,
                f"{units:,}",
                f"{instructions / units:,.0f}",
                f"{expanded / units:,.0f}",
                f"{instructions / expanded:,.0f}" if expanded else "–",
                change,
            ]
        )
    return (
        heading("Instructions", f"Fixed work, counted below valgrind, which noise does not reach. This build: {by}; the table: {known_by}.")
        + table(["", "units", "instructions a unit", "expansions a unit", "instructions an expansion", "change"], rows)
        + f"<p class=note>Instructions: counted {when(file)}.</p>"
    )


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as text:
            return re.search(r"model name\s*: (.*)", text.read())[1]
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    build = pathlib.Path(sys.argv[1])
    sources = [
        (build / "peers/results/summary.json", lambda file: Peers(file).body(), "comparison with peers", "./test --peers"),
        (build / "bench/workloads.tsv", workloads_body, "workloads of voxpath alone", "./test --bench"),
        (build / "bench/parts.json", parts_body, "parts", "./test --bench"),
        (build / "bench/instructions/instructions.tsv", instructions_body, "instruction counts", "./test --instructions"),
    ]
    body = [
        f"<h1>voxpath in figures</h1><p class=dim>{escape(processor())}, {os.cpu_count()} cores. Times are processor time of one thread. "
        "Ratios first: they hold on other machines too, times do not.</p>"
    ]
    body += [make(file) if file.exists() else missing(what, command) for file, make, what, command in sources]
    out = build / "bench" / "report.html"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page("voxpath in figures", "".join(body)), encoding="utf-8")
    print(f"The figures as a page: {out}")
    return 0


sys.exit(main())
