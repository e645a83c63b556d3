"""Pages of the repository's root that are pages of the site too, with links that fit there."""

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT_PAGES = ("CONTRIBUTING.md", "SECURITY.md")


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages beside the index."""
    root = Path(config.config_file_path).parent
    for name in ROOT_PAGES:
        text = (root / name).read_text("utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Let links out of the folder of pages lead to where these pages are now."""
    up = "../" * page.file.src_uri.count("/")
    for name in ROOT_PAGES:
        markdown = markdown.replace(f"](../{up}{name}", f"]({up}{name}")
    return markdown
