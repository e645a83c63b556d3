"""What is printed for the customer."""


def money(cents):
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def receipt_text(result):
    """A result of ``price_cart`` as text."""
    rows = []
    for line in result["lines"]:
        rows.append(f"{line['qty']:>3} x {line['sku']:<16} {money(line['qty'] * line['unit']):>10}")
        if line["discount"]:
            rows.append(f"      {'discount':<16} {money(-line['discount']):>10}")
    rows.append("-" * 33)
    rows.append(f"{'total':<22} {money(result['total']):>10}")
    if result["discount"]:
        rows.append(f"{'you save':<22} {money(result['discount']):>10}")
        for entry in result["applied"]:
            rows.append(f"  {entry['rule']:<20} {money(entry['amount']):>10}")
    return "\n".join(rows)
