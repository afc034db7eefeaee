"""A Hub on loopback: repositories that files are committed to and read from, as huggingface_hub asks for them.

It speaks as much of the Hub's protocol as uploading a folder, tagging it and loading it take: every file is a regular
one (no LFS), there is one branch, and the history is a list of commits.
"""

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from loopback import Loopback, Quiet


@dataclass
class Repository:
    """Commit → its files (path → bytes); the last one is the branch ``main``; tags name commits."""

    commits: dict[str, dict[str, bytes]] = field(default_factory=lambda: {"0" * 40: {}})
    tags: dict[str, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)

    @property
    def head(self) -> str:
        return list(self.commits)[-1]

    def resolve(self, revision: str) -> str | None:
        revision = self.tags.get(revision, self.head if revision == "main" else revision)
        return revision if revision in self.commits else None

    def commit(self, lines: list[dict]) -> str:
        files = dict(self.commits[self.head])
        for line in lines:
            value = line["value"]
            if line["key"] == "header":
                self.messages.append(value["summary"])
            elif line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "deletedFile":
                del files[value["path"]]
        name = hashlib.sha1(repr((self.head, sorted(files.items()))).encode()).hexdigest()
        self.commits[name] = files
        return name


class Hub(Loopback):
    """The server; ``repositories`` maps ``datasets/ORG/NAME`` and ``spaces/ORG/NAME`` to what they hold."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.repositories: dict[str, Repository] = {}
        self.requests: list[str] = []


class Handler(Quiet):
    owner: Hub

    def do_GET(self) -> None:
        self.answer("GET", b"")

    def do_POST(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer("POST", body)

    def answer(self, method: str, body: bytes) -> None:
        path = unquote(urlsplit(self.path).path)
        self.owner.requests.append(f"{self.command} {path}")
        if path == "/api/repos/create":
            asked = json.loads(body)
            name = f"{asked.get('type', 'model')}s/{asked['organization']}/{asked['name']}"
            self.owner.repositories.setdefault(name, Repository())
            return self.say({"url": f"{self.owner.endpoint}/{name}"})
        if path == "/api/validate-yaml":
            return self.say({"errors": [], "warnings": []})
        found = re.fullmatch(
            r"/(api/)?((?:datasets|spaces)/[^/]+/[^/]+)(?:/([^/]+)(?:/([^/]+)(?:/(.*))?)?)?", path
        )
        repository = self.owner.repositories.get(found[2]) if found else None
        if not found or repository is None:
            return self.miss("RepoNotFound")
        _, name, verb, revision, rest = found.groups()
        commit = repository.resolve(revision or "main")
        if commit is None:
            return self.miss("RevisionNotFound")
        files = repository.commits[commit]
        if verb == "preupload":
            paths = [file["path"] for file in json.loads(body)["files"]]
            return self.say(
                {"files": [{"path": p, "uploadMode": "regular", "shouldIgnore": False} for p in paths]}
            )
        if verb == "commit":
            made = repository.commit([json.loads(line) for line in body.splitlines() if line])
            return self.say(
                {
                    "success": True,
                    "commitOid": made,
                    "commitUrl": f"{self.owner.endpoint}/{name}/commit/{made}",
                }
            )
        if verb == "tag":
            repository.tags[json.loads(body)["tag"]] = commit
            return self.say({})
        if verb == "tree":
            return self.say(tree(files, rest or "", "recursive=true" in self.path.lower()))
        if verb == "paths-info":
            asked = json.loads(body)["paths"]
            return self.say(
                [entry for path in asked for entry in tree(files, "", True) if entry["path"] == path]
            )
        if verb == "refs":
            branch = {"name": "main", "ref": "refs/heads/main", "targetCommit": repository.head}
            tags = [
                {"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": at}
                for tag, at in repository.tags.items()
            ]
            return self.say({"branches": [branch], "tags": tags, "converts": []})
        if verb == "resolve":
            content = files.get(rest)
            return self.miss("EntryNotFound") if content is None else self.send(content, commit)
        if verb in (None, "revision"):
            told = {
                "id": name.split("/", 1)[1],
                "_id": "0",
                "sha": commit,
                "downloads": 0,
                "likes": 0,
                "tags": [],
            }
            told |= dict.fromkeys(("private", "gated", "disabled"), False)
            return self.say({**told, "siblings": [{"rfilename": path} for path in sorted(files)]})
        return self.miss("EntryNotFound")

    def say(self, value: object, status: int = 200, **headers: str) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        for key, text in {"Content-Type": "application/json", **headers}.items():
            self.send_header(key.replace("_", "-"), text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def miss(self, code: str) -> None:
        self.say({"error": code}, 404, X_Error_Code=code, X_Error_Message=code)

    def send(self, content: bytes, commit: str) -> None:
        first, last, status = 0, len(content) - 1, 200
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if asked:
            first, last, status = int(asked[1]), min(int(asked[2] or last), last), 206
        body = content[first : last + 1]
        self.send_response(status)
        self.send_header("ETag", f'"{hashlib.sha1(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", commit)
        self.send_header("Accept-Ranges", "bytes")
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def tree(files: dict[str, bytes], folder: str, recursive: bool) -> list[dict]:
    """What a listing of a folder says."""
    prefix = f"{folder}/" if folder else ""
    entries: dict[str, dict] = {}
    for path, content in sorted(files.items()):
        if not path.startswith(prefix):
            continue
        parts = path[len(prefix) :].split("/")
        for depth in range(1, len(parts)):
            if depth == 1 or recursive:
                above = prefix + "/".join(parts[:depth])
                entries[above] = {"type": "directory", "path": above, "size": 0, "oid": "0" * 40}
        if recursive or len(parts) == 1:
            oid = hashlib.sha1(content).hexdigest()
            entries[path] = {"type": "file", "path": path, "size": len(content), "oid": oid}
    return list(entries.values())
