"""A known-good answer, written from the prompt; it shares nothing with the family."""


def answer(fields):
    if "names" not in fields:
        return fault("missing_field", "names")
    names = fields["names"]
    if not isinstance(names, list) or not 1 <= len(names) <= 5:
        return fault("invalid_field", "names")
    for name in names:
        if not isinstance(name, str) or not 1 <= len(name) <= 20:
            return fault("invalid_field", "names")
    style = fields.get("style", "casual")
    if style not in ("formal", "casual"):
        return fault("invalid_field", "style")
    marks = fields.get("marks", 1)
    if type(marks) is not int or not 0 <= marks <= 3:
        return fault("invalid_field", "marks")
    stripped = [name.strip(" ") for name in names]
    if not all(stripped):
        return {"error": {"code": "blank_name"}}
    if any(stripped.count(name) > 1 for name in stripped):
        return {"error": {"code": "same_name"}}
    text = "Good day, " if style == "formal" else "Hi, "
    text += ", ".join(stripped[:-1])
    if len(stripped) > 1:
        text += " and "
    text += stripped[-1] + "!" * marks
    return {"result": {"text": text, "length": len(text)}}


def fault(code, field):
    return {"error": {"code": code, "field": field}}
