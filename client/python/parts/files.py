"""Files that are sent, and content that comes back."""

from __future__ import annotations

import uuid
from email.message import Message as Headers
from typing import NamedTuple, Tuple
from urllib.parse import quote


class Content(NamedTuple):
    """An answer that is not JSON, such as a file, a text or a page."""

    body: bytes
    headers: Headers
    status: int

    @property
    def text(self) -> str:
        """
        The bytes decoded as UTF-8; bad bytes are replaced. The charset of the answer is ignored,
        because some codecs take quadratic time.
        """
        return self.body.decode("utf-8", "replace")


class FileToSend(NamedTuple):
    """A file: its name, its bytes and, if known, its media type."""

    name: str
    content: bytes
    media_type: str = "application/octet-stream"

    def to_form(self) -> Tuple[bytes, str]:
        """Returns a form whose only field is the file, and the form's media type."""
        boundary = uuid.uuid4().hex
        escaped = self.name.replace("\\", "\\\\").replace('"', '\\"')
        name = "".join(quote(sign) if sign in "\r\n" else sign for sign in escaped)
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            f"Content-Type: {self.media_type}\r\n\r\n"
        )
        form = head.encode() + self.content + f"\r\n--{boundary}--\r\n".encode()
        return form, f"multipart/form-data; boundary={boundary}"
