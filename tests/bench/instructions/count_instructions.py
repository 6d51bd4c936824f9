#!/usr/bin/env python3
"""Counts the instructions of fixed work below valgrind and holds them against the table beside this file.

count_instructions.py PROGRAM OUT_FOLDER [--renew]

PROGRAM is voxpath_counted_queries. OUT_FOLDER gets callgrind.out.1 and so on, one for each workload (for callgrind_annotate), and
instructions.tsv. --renew writes the table anew instead of comparing. Exit code 1: a workload differs by more than the tolerance.
"""
import os
import pathlib
import re
import subprocess
import sys

TABLE = pathlib.Path(__file__).with_name("instructions.tsv")
# The same program gives the same counts to a few in 100,000 (the C library's allocator); what remains is room for the compiler to lay out
# unrelated code otherwise.
TOLERANCE_PERCENT = 3.0
# The C library picks its copying loops by processor; without these it counts the same everywhere.
SAME_ON_ALL_PROCESSORS = "glibc.cpu.hwcaps=-AVX2,-ERMS,-FSRM"
COLUMNS = ["workload", "units", "expanded", "instructions"]


def count(program, folder):
    """What the program says it is built by, and for each workload (units, expanded, instructions)."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("callgrind.out*"):
        old.unlink()
    out = subprocess.run(
        ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/callgrind.out", program],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=os.environ | {"GLIBC_TUNABLES": SAME_ON_ALL_PROCESSORS},
    ).stdout
    instructions = {}
    for file in folder.glob("callgrind.out.*"):
        text = file.read_text()
        instructions[re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)[1]] = int(re.search(r"^totals: (\d+)$", text, re.M)[1])
    built_by, rows = "", {}
    for line in out.splitlines():
        if line.startswith("# "):
            built_by = line[2:]
        else:
            name, units, expanded = line.split("\t")
            rows[name] = (int(units), int(expanded), instructions[name])
    return built_by, rows


def read_table():
    lines = TABLE.read_text().splitlines()
    rows = [line.split("\t") for line in lines[2:]]
    return lines[0][2:], {name: tuple(map(int, rest)) for name, *rest in rows}


def write_table(file, built_by, rows):
    lines = [f"# {built_by}", "\t".join(COLUMNS)]
    lines += ["\t".join(map(str, (name, *row))) for name, row in rows.items()]
    file.write_text("\n".join(lines) + "\n")


def compare(rows, known):
    """Prints the comparison; returns the workloads that differ by more than the tolerance."""
    print(f"{'workload':<14}{'units':>7}{'instructions a unit':>22}{'a node expanded':>17}{'expansions':>12}{'change':>10}")
    differ = []
    for name, (units, expanded, instructions) in rows.items():
        each = f"{instructions / expanded:,.0f}" if expanded else "-"
        before = known.get(name)
        change, searched = "new", ""
        if before and before[0] == units:
            percent = (instructions / before[2] - 1) * 100
            change = f"{percent:+.2f} %"
            if expanded != before[1]:
                searched = f"   searches {expanded / before[1] - 1:+.1%} of the nodes" if before[1] else "   searches now"
            if abs(percent) > TOLERANCE_PERCENT:
                differ.append(name)
        else:
            differ.append(name)
        print(f"{name:<14}{units:>7}{instructions / units:>22,.0f}{each:>17}{expanded:>12,}{change:>10}{searched}")
    for name in known.keys() - rows.keys():
        print(f"{name:<14} is in the table, but was not counted")
        differ.append(name)
    return differ


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--renew"]):
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[2])
    built_by, rows = count(sys.argv[1], folder)
    write_table(folder / "instructions.tsv", built_by, rows)
    known_by, known = read_table() if TABLE.exists() else ("", {})
    differ = compare(rows, known)
    print(f"The instructions of each workload by function: callgrind_annotate {folder}/callgrind.out.N")
    if sys.argv[3:]:
        write_table(TABLE, built_by, rows)
        print(f"{TABLE.name} is written anew for {built_by}.")
        return 0
    if built_by != known_by:
        print(f"The table is for {known_by}; this is {built_by}, so the change tells nothing and is not judged.")
        return 0
    if differ:
        print(
            f"More than {TOLERANCE_PERCENT:g} % from tests/bench/instructions/{TABLE.name}: {', '.join(differ)}.\n"
            "Dearer: look for what costs. Cheaper, or dearer for a reason: ./test --instructions --renew, and commit the table with the change."
        )
        return 1
    print(f"All within {TOLERANCE_PERCENT:g} % of the table, {built_by}.")
    return 0


sys.exit(main())
