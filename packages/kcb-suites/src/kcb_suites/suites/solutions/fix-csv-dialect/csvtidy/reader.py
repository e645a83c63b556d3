"""Text to records. The rules are those of docs/FORMAT.md, section 2."""

from dataclasses import dataclass

from csvtidy.errors import CsvError


@dataclass(frozen=True)
class Record:
    """The cells of one record, and the line on which it begins."""

    line: int
    cells: list


class _Scanner:
    """Goes through the text once, and knows on which line it is."""

    def __init__(self, text, delimiter, line):
        self.text = text
        self.delimiter = delimiter
        self.line = line
        self.at = 0

    def more(self):
        return self.at < len(self.text)

    def take_line_end(self):
        """The length of a line end is one or two; go past it if one is here."""
        if self.text.startswith("\r\n", self.at):
            self.at += 2
        elif self.text[self.at : self.at + 1] in ("\n", "\r"):
            self.at += 1
        else:
            return False
        self.line += 1
        return True

    def plain(self):
        """Characters up to the next delimiter or line end."""
        start = self.at
        while self.more() and self.text[self.at] not in (self.delimiter, "\n", "\r"):
            self.at += 1
        return self.text[start : self.at]

    def quoted(self):
        """What is between the quote that is here and the one that closes it."""
        opened = self.line
        self.at += 1
        parts = []
        while self.more():
            if self.text.startswith('""', self.at):
                parts.append('"')
                self.at += 2
            elif self.text[self.at] == '"':
                self.at += 1
                return "".join(parts)
            elif self.take_line_end():
                parts.append("\n")
            else:
                parts.append(self.text[self.at])
                self.at += 1
        raise CsvError(opened, "quote is never closed")

    def cell(self):
        """One cell, and whether it was quoted."""
        if self.text.startswith('"', self.at):
            return self.quoted() + self.plain(), True
        return self.plain(), False

    def record(self):
        """One record, or None for a blank line."""
        line = self.line
        cell, was_quoted = self.cell()
        cells = [cell]
        while self.text.startswith(self.delimiter, self.at):
            self.at += 1
            cells.append(self.cell()[0])
        self.take_line_end()
        if len(cells) == 1 and not was_quoted and not cell.strip():
            return None
        return Record(line, cells)


def read_records(text, delimiter, first_line=1):
    """Yield the records of ``text``, whose first line is number ``first_line``."""
    scanner = _Scanner(text, delimiter, first_line)
    while scanner.more():
        record = scanner.record()
        if record is not None:
            yield record
