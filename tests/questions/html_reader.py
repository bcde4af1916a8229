"""A parser for generated pages: checks that every element is closed, and collects tags and text."""

from html.parser import HTMLParser

EMPTY = {"meta", "br", "hr", "img", "link", "input"}
EVIL = "<script>alert(1)</script>"


class Reader(HTMLParser):
    """Checks that elements are closed in order, and collects the tags and the text."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader
