"""Makes reports."""

import datetime
import re

from stockreport.hooks import fire, off, on
from stockreport.settings import get_option, reset_options, set_option

rows = []
errors = []
groups = {}
lines = []
stopped = False


def make_report(text, **options):
    """The report about the log ``text``."""
    global rows, errors, groups, lines, stopped
    rows, errors, groups, lines, stopped = [], [], {}, [], False
    off()
    reset_options()
    for name, value in options.items():
        set_option(name, value)

    def keep_row(number, date, kind, item, quantity, price, note):
        # since and until are days, and both belong to the time
        if get_option("since") and date.isoformat() < get_option("since"):
            return
        if get_option("until") and date.isoformat() > get_option("until"):
            return
        if get_option("kinds") and kind not in get_option("kinds"):
            return
        rows.append((number, date, kind, item, quantity, price, note))

    def keep_error(number, message):
        errors.append(f"line {number}: {message}")

    on("row", keep_row)
    on("error", keep_error)

    # read
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts = [part.strip() for part in line.split(";")]
        if len(parts) not in (5, 6):
            fire("error", number, f"5 or 6 fields expected, found {len(parts)}")
            continue
        try:
            if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", parts[0]):
                raise ValueError
            date = datetime.date.fromisoformat(parts[0])
        except ValueError:
            fire("error", number, f"not a date: {parts[0]!r}")
            continue
        kind = parts[1].lower()
        if kind not in ("in", "out", "loss", "count"):
            fire("error", number, f"unknown kind {parts[1]!r}")
            continue
        item = " ".join(parts[2].split())
        if not item:
            fire("error", number, "item is empty")
            continue
        if not re.fullmatch("[0-9]+", parts[3]) or (int(parts[3]) == 0 and kind != "count"):
            fire("error", number, f"not a quantity: {parts[3]!r}")
            continue
        match = re.fullmatch(r"([0-9]+)(?:\.([0-9]{1,2}))?", parts[4])
        if not match:
            fire("error", number, f"not a price: {parts[4]!r}")
            continue
        price = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
        note = parts[5] if len(parts) == 6 else ""
        fire("row", number, date, kind, item, int(parts[3]), price, note)

    # group
    for number, date, kind, item, quantity, price, note in rows:
        if get_option("by") == "item":
            key = item.lower()
            name = item
        elif get_option("by") == "day":
            key = name = date.isoformat()
        elif get_option("by") == "week":
            year, week, _ = date.isocalendar()
            key = name = f"{year}-W{week:02d}"
        elif get_option("by") == "month":
            key = name = date.isoformat()[:7]
        else:
            key = name = kind
        if key not in groups:
            # the first spelling of an item names the group
            groups[key] = {
                "name": name,
                "in": 0,
                "out": 0,
                "loss": 0,
                "value": 0,
                "counted": None,
                "counted_on": None,
                "notes": [],
            }
        one = groups[key]
        if kind == "count":
            # of counts of one day the later line is right
            if one["counted_on"] is None or date >= one["counted_on"]:
                one["counted"] = quantity
                one["counted_on"] = date
        else:
            one[kind] += quantity
            if kind == "in":
                one["value"] += quantity * price
            else:
                one["value"] -= quantity * price
        if note and note not in one["notes"]:
            one["notes"].append(note)

    def money(cents):
        sign = "-" if cents < 0 else ""
        whole, part = divmod(abs(cents), 100)
        digits = str(whole)
        blocks = []
        while len(digits) > 3:
            blocks.insert(0, digits[-3:])
            digits = digits[:-3]
        blocks.insert(0, digits)
        return f"{sign}{','.join(blocks)}.{part:02d}"

    def balance(one):
        return one["in"] - one["out"] - one["loss"]

    # order
    found = sorted(groups.items())
    if get_option("order") == "value":
        found.sort(key=lambda pair: pair[1]["value"])
    elif get_option("order") == "quantity":
        found.sort(key=lambda pair: balance(pair[1]))
    if get_option("reverse"):
        found.reverse()
    found = [one for _, one in found]

    # cut
    rest = []
    if get_option("top") is not None and len(found) > get_option("top"):
        rest = found[get_option("top") :]
        found = found[: get_option("top")]

    def cells(one):
        return [
            one["name"],
            str(one["in"]),
            str(one["out"]),
            str(one["loss"]),
            str(balance(one)),
            "-" if one["counted"] is None else str(one["counted"]),
            money(one["value"]),
        ]

    def add_up(some, name):
        # what was counted cannot be added up
        total = {"name": name, "in": 0, "out": 0, "loss": 0, "value": 0, "counted": None}
        for one in some:
            for field in ("in", "out", "loss", "value"):
                total[field] += one[field]
        return total

    head = [get_option("by"), "in", "out", "loss", "balance", "counted"]
    head.append(f"value ({get_option('currency')})")

    def text_line(kind, values, widths):
        global stopped
        if stopped:
            return
        first = values[0].ljust(widths[0])
        others = [value.rjust(width) for value, width in zip(values[1:], widths[1:])]
        lines.append("  ".join([first, *others]).rstrip())
        if kind == "total":
            stopped = True

    def csv_line(kind, values, widths):
        if kind == "total":
            return
        quoted = []
        for value in values:
            if any(char in value for char in ',"'):
                value = '"' + value.replace('"', '""') + '"'
            quoted.append(value)
        lines.append(",".join(quoted))

    def markdown_line(kind, values, widths):
        values = [value.replace("|", "\\|") for value in values]
        if kind == "total":
            values = [f"**{value}**" for value in values]
        lines.append("| " + " | ".join(values) + " |")
        if kind == "head":
            lines.append("|:---" + "|---:" * (len(values) - 1) + "|")

    if get_option("form") == "text":
        on("line", text_line)
        lines.append(get_option("title"))
        lines.append("=" * len(get_option("title")))
        lines.append("")
    elif get_option("form") == "csv":
        on("line", csv_line)
    else:
        on("line", markdown_line)
        lines.append("# " + get_option("title"))
        lines.append("")

    if not found:
        if get_option("form") == "csv":
            fire("line", "head", head, None)
        else:
            lines.append("No movements.")
    else:
        table = [("head", head)]
        for one in found:
            table.append(("row", cells(one)))
        if rest:
            table.append(("rest", cells(add_up(rest, f"({len(rest)} more)"))))
        table.append(("total", cells(add_up(found + rest, "total"))))
        widths = [0] * len(head)
        for _, values in table:
            for column, value in enumerate(values):
                widths[column] = max(widths[column], len(value))
        for kind, values in table:
            if kind == "total" and get_option("form") == "text":
                lines.append("-" * (sum(widths) + 2 * (len(widths) - 1)))
            fire("line", kind, values, widths)
        if get_option("by") == "item" and get_option("form") != "csv":
            noted = [one for one in found if one["notes"]]
            if noted:
                lines.append("")
                lines.append("Notes" if get_option("form") == "text" else "## Notes")
                if get_option("form") == "markdown":
                    lines.append("")
                for one in noted:
                    lines.append(f"- {one['name']}: {'; '.join(one['notes'])}")

    if errors and get_option("problems") and get_option("form") != "csv":
        lines.append("")
        lines.append("Problems" if get_option("form") == "text" else "## Problems")
        if get_option("form") == "markdown":
            lines.append("")
        for error in errors:
            lines.append(f"- {error}")
    return "\n".join(lines) + "\n"


def last_errors():
    """The mistakes in the log of the last report."""
    return list(errors)
