"""Numbers as text, HTML tables and SVG plots, with nothing but the standard library."""
import html
import math

LABEL_WIDTH, ROW_HEIGHT, PANEL_WIDTH, AXIS_HEIGHT = 150, 18, 520, 26
CHARACTER_WIDTH = 7.4  # of the plots' text, at most
TICK_WIDTH = 46  # of the text at a tick


def escape(text):
    return html.escape(str(text))


def time_text(us):
    if us < 1:
        return f"{us * 1e3:.0f} ns"
    for limit, divisor, unit in ((1e3, 1, "µs"), (1e6, 1e3, "ms")):
        if us < limit:
            return f"{us / divisor:.{2 if us / divisor < 10 else 1 if us / divisor < 100 else 0}f} {unit}"
    return f"{us / 1e6:.1f} s"


def bytes_text(count):
    for divisor, unit in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if count >= divisor:
            return f"{count / divisor:.1f} {unit}"
    return f"{count:.0f} B"


def number_text(value):
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(head, rows, notes=()):
    """The first column is text, the others numbers. A cell is text, or (text, CSS class)."""

    def cell(value, tag="td"):
        text, kind = value if isinstance(value, tuple) else (value, "")
        return f"<{tag}{f' class={kind}' if kind else ''}>{escape(text)}</{tag}>"

    lines = ["<tr>" + "".join(cell(name, "th") for name in head) + "</tr>"]
    lines += ["<tr>" + "".join(cell(value) for value in row) + "</tr>" for row in rows]
    below = "".join(f"<p class=note>{escape(note)}</p>" for note in notes)
    return f"<div class=wide><table>{''.join(lines)}</table></div>{below}"


class LogAxis:
    """Whole powers of ten from below the least to above the greatest value, along `length` pixels."""

    def __init__(self, values, length):
        values = [value for value in values if value > 0]
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self.length = length

    def at(self, value):
        return (math.log10(max(value, 10.0**self.low)) - self.low) / (self.high - self.low) * self.length

    def ticks(self):
        return [10.0**power for power in range(self.low, self.high + 1)]

    def named_ticks(self):
        """So many that their texts do not touch."""
        between = self.length / (self.high - self.low)
        return self.ticks()[:: max(1, math.ceil(TICK_WIDTH / between))]


def dot_plot(title, rows, axis_values, names=()):
    """Rows of (name, median µs, p99 µs, whether it is ours): a dot at the median, a line from there to the p99. `axis_values` sets the range,
    and `names` the room for names, so that plots side by side can have the same."""
    name_width = max(LABEL_WIDTH, max(len(name) for name in [*names, *(row[0] for row in rows)]) * CHARACTER_WIDTH + 12)
    width = name_width + PANEL_WIDTH - LABEL_WIDTH
    axis = LogAxis(axis_values, width - name_width - 84)
    height = 24 + len(rows) * ROW_HEIGHT + AXIS_HEIGHT
    parts = [f'<text x="0" y="14" class="title">{escape(title)}</text>']
    bottom = 24 + len(rows) * ROW_HEIGHT
    for tick in axis.ticks():
        x = name_width + axis.at(tick)
        parts.append(f'<line x1="{x:.1f}" y1="22" x2="{x:.1f}" y2="{bottom}" class="grid"/>')
    for tick in axis.named_ticks():
        parts.append(
            f'<text x="{name_width + axis.at(tick):.1f}" y="{bottom + 15}" class="tick" text-anchor="middle">{tick_text(tick)}</text>'
        )
    for i, (name, median, p99, ours) in enumerate(rows):
        y = 24 + i * ROW_HEIGHT + ROW_HEIGHT / 2
        kind = "ours" if ours else "other"
        x, end = name_width + axis.at(median), name_width + axis.at(p99)
        parts.append(
            f'<g class="{kind}"><title>{escape(name)}: median {time_text(median)}, p99 {time_text(p99)}</title>'
            f'<text x="{name_width - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>'
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{end:.1f}" y2="{y:.1f}" class="range"/>'
            f'<line x1="{end:.1f}" y1="{y - 4:.1f}" x2="{end:.1f}" y2="{y + 4:.1f}" class="range"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
            f'<text x="{max(x, end) + 9:.1f}" y="{y + 4:.1f}" class="value">{time_text(median)}</text></g>'
        )
    return svg(width, height, parts)


def line_plot(title, x_name, y_name, lines):
    """Lines of (name, colour 1 to 4, dashed, [(x, y in µs)]), both axes logarithmic; each line is named at its end."""
    width, height, left, right, bottom = 640, 320, 64, 190, 40
    xs = [x for line in lines for x, _ in line[3]]
    ys = [y for line in lines for _, y in line[3]]
    x_axis, y_axis = LogAxis(xs, width - left - right), LogAxis(ys, height - 30 - bottom)
    base = height - bottom
    parts = [
        f'<text x="0" y="14" class="title">{escape(title)}</text>',
        f'<text x="{left}" y="{height - 4}" class="tick">{escape(x_name)}</text>',
        f'<text x="{left + 6}" y="36" class="tick">{escape(y_name)}</text>',
    ]
    for tick in x_axis.ticks():
        x = left + x_axis.at(tick)
        parts.append(
            f'<line x1="{x:.1f}" y1="30" x2="{x:.1f}" y2="{base}" class="grid"/>'
            f'<text x="{x:.1f}" y="{base + 15}" class="tick" text-anchor="middle">{tick:,.0f}</text>'
        )
    for tick in y_axis.ticks():
        y = base - y_axis.at(tick)
        parts.append(
            f'<line x1="{left}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" class="grid"/>'
            f'<text x="{left - 8}" y="{y + 4:.1f}" class="tick" text-anchor="end">{tick_text(tick)}</text>'
        )
    ends = sorted(((base - y_axis.at(line[3][-1][1]), line) for line in lines), key=lambda end: end[0])
    label_y = 0.0
    for y, (name, colour, dashed, points) in ends:
        drawn = " ".join(f"{left + x_axis.at(px):.1f},{base - y_axis.at(py):.1f}" for px, py in points)
        label_y = max(y + 4, label_y + 15)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        parts.append(f'<g class="line{colour}"><polyline points="{drawn}"{dash}/>')
        for px, py in points:
            parts.append(
                f'<circle cx="{left + x_axis.at(px):.1f}" cy="{base - y_axis.at(py):.1f}" r="4">'
                f"<title>{escape(name)}, {px:,.0f}: {time_text(py)}</title></circle>"
            )
        parts.append(f'<text x="{width - right + 8}" y="{label_y:.1f}">{escape(name)}: {time_text(points[-1][1])}</text></g>')
    return svg(width, height, parts)


def tick_text(us):
    return time_text(us).replace(".00", "").replace(".0", "")


def svg(width, height, parts):
    return f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img">{"".join(parts)}</svg>'


STYLE = """
:root { color-scheme: light dark; --ink: #1b2733; --dim: #5b6875; --faint: #dde3e8; --back: #ffffff; --ours: #c2410c; --other: #64748b;
  --win: #15803d; --lose: #b91c1c; --line2: #1d6fb8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --dim: #9aa7b4; --faint: #2c3742; --back: #12181e; --ours: #fb923c;
  --other: #94a3b8; --win: #4ade80; --lose: #f87171; --line2: #60a5fa; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 1240px; margin: 2em auto; padding: 0 1.2em; }
h1 { font-size: 1.6em; margin-bottom: .2em } h2 { margin: 2em 0 .3em; font-size: 1.25em }
p { max-width: 75ch; margin: .4em 0 } .note, .dim { color: var(--dim); font-size: .9em }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9em; margin: .6em 0 }
th, td { padding: .25em .7em; text-align: right; border-bottom: 1px solid var(--faint); white-space: nowrap } td.text { white-space: normal }
th { color: var(--dim); font-weight: 600 } th:first-child, td:first-child, .text { text-align: left }
.ours { color: var(--ours) } td.ours { font-weight: 700 } .win { color: var(--win) } .lose { color: var(--lose); font-weight: 700 }
.wide { overflow-x: auto } .plots { display: flex; flex-wrap: wrap; gap: 1em 2em; align-items: flex-start }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif } svg text { fill: var(--ink) }
svg .title { font-weight: 600; font-size: 13px } svg .tick, svg .value { fill: var(--dim); font-size: 11px } svg .grid { stroke: var(--faint) }
svg .range { stroke-width: 2 } svg .other circle { fill: var(--other) } svg .other .range { stroke: var(--other); opacity: .6 }
svg .ours circle { fill: var(--ours) } svg .ours .range { stroke: var(--ours) } svg .ours text { fill: var(--ours); font-weight: 600 }
svg polyline { fill: none; stroke-width: 2 } svg .line1 polyline { stroke: var(--ours) } svg .line1 circle { fill: var(--ours) }
svg .line2 polyline { stroke: var(--line2) } svg .line2 circle { fill: var(--line2) }
"""


def page(title, body):
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>{body}</body></html>\n"
    )
