"""What can go wrong: one class for each stable code, all of them :class:`LookbackError`.

``error.code`` is the code itself, the same that the command line and the Node package give. A code that this version
does not know raises :class:`LookbackError`.
"""

from __future__ import annotations


class LookbackError(Exception):
    """Something the engine refused or could not do."""

    #: The stable name of the kind of error.
    code: str = "error"

    def __init__(self, message: str = "", code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class LookbackWarning(UserWarning):
    """Something was left out of an answer."""


# Requests.


class BadRequestError(LookbackError, ValueError):
    """A request makes no sense: an unknown word, a time that is none, a session id that cannot be one."""

    code = "bad-request"


class SessionNotFoundError(LookbackError, LookupError):
    """No session has this id, and none begins with it."""

    code = "session-not-found"


class AmbiguousSessionError(LookbackError, LookupError):
    """Several sessions begin with this id."""

    code = "ambiguous-session"


class SessionAmbiguousError(LookbackError, LookupError):
    """Several sessions in the index fit."""

    code = "session-ambiguous"


class EntryNotFoundError(LookbackError, LookupError):
    """The session has no such entry."""

    code = "entry-not-found"


class NotOnBranchError(LookbackError, LookupError):
    """The entry is not on the branch that was asked for."""

    code = "not-on-branch"


class OutsideRootsError(LookbackError, ValueError):
    """A path leads out of the session folders."""

    code = "outside-roots"


# Session files.


class NotFoundError(LookbackError, LookupError):
    """There is no such file."""

    code = "not-found"


class LinkRefusedError(LookbackError):
    """Links to files are not followed."""

    code = "link-refused"


class NotAFileError(LookbackError):
    """A folder, FIFO, socket or device stands where a file should be."""

    code = "not-a-file"


class EmptySessionError(LookbackError):
    """The file holds no session."""

    code = "empty-session"


class IoError(LookbackError):
    """The operating system could not read or write."""

    code = "io"


class NotASessionError(LookbackError, ValueError):
    """The path is that of no session file."""

    code = "not-a-session"


class NoLineError(LookbackError, LookupError):
    """A place in a file needs a line."""

    code = "no-line"


class BehindTheEndError(LookbackError, LookupError):
    """The file has no such line."""

    code = "behind-the-end"


class CancelledError(LookbackError):
    """The reading was cancelled."""

    code = "cancelled"


class TimedOutError(LookbackError):
    """The reading took too long."""

    code = "timed-out"


# The index.


class ForeignFolderError(LookbackError):
    """The cache folder holds something else; nothing in it is touched."""

    code = "foreign-folder"


class LinkedFolderError(LookbackError):
    """The cache folder is a link."""

    code = "linked-folder"


class OtherOwnerError(LookbackError):
    """The cache folder belongs to another user."""

    code = "other-owner"


class NewerFormatError(LookbackError):
    """A later version wrote the index; it is left alone."""

    code = "newer-format"


class DamagedError(LookbackError):
    """A part of the index is damaged; the next sync builds it again."""

    code = "damaged"


class BusyError(LookbackError):
    """Another process writes to the index."""

    code = "busy"


class LockFailedError(LookbackError):
    """The file system cannot lock files."""

    code = "lock-failed"


class DiskFullError(LookbackError):
    """There is no room left; the last commit stays readable."""

    code = "disk-full"


class ReadOnlyError(LookbackError):
    """The cache folder cannot be written to; the last commit stays readable."""

    code = "read-only"


class EngineError(LookbackError):
    """The search engine failed in a way that is no damage."""

    code = "engine"


# Tags and done-marks.


class InvalidTagError(LookbackError, ValueError):
    """Nothing in the text can stand in a tag."""

    code = "invalid-tag"


class InvalidSessionIdError(LookbackError, ValueError):
    """A session id of this length cannot be stored."""

    code = "invalid-session-id"


class TagsNewerVersionError(LookbackError):
    """A later version wrote the tags; they are left alone."""

    code = "tags-newer-version"


class TagsTooLargeError(LookbackError):
    """The file of the tags is, or would become, too large."""

    code = "tags-too-large"


class TagsNotAFileError(LookbackError):
    """A link, folder, pipe or device stands where the tags should be."""

    code = "tags-not-a-file"


class TagsBusyError(LookbackError):
    """Others kept the tags busy for too long."""

    code = "tags-busy"


class TagsDiskFullError(LookbackError):
    """There is no room for the change; the tags are as before."""

    code = "tags-disk-full"


class TagsNotWritableError(LookbackError):
    """The tags cannot be written."""

    code = "tags-not-writable"


class TagsNotDurableError(LookbackError):
    """The change is in place, but might not survive a power failure."""

    code = "tags-not-durable"


class TagsIoError(LookbackError):
    """The operating system could not read or write the tags."""

    code = "tags-io"


# The list of sessions that wait.


class UnreadCancelledError(LookbackError):
    """The scan was cancelled."""

    code = "unread-cancelled"


class UnreadSupersededError(LookbackError):
    """The session that the scan was for changed."""

    code = "unread-superseded"


class UnreadOutOfRangeError(LookbackError, ValueError):
    """A number is out of bounds."""

    code = "unread-out-of-range"


class UnreadQueryTooLongError(LookbackError, ValueError):
    """The query is too long."""

    code = "unread-query-too-long"


class UnreadQueryHasNulError(LookbackError, ValueError):
    """The query has a NUL in it."""

    code = "unread-query-has-nul"


class UnreadRelativeWorkspaceError(LookbackError, ValueError):
    """The workspace is not an absolute path."""

    code = "unread-relative-workspace"


class UnreadFolderError(LookbackError):
    """The folder of the sessions cannot be listed."""

    code = "unread-folder"


# Of this package.


class ForkedError(LookbackError, RuntimeError):
    """The process was forked after Lookback was used."""

    code = "forked"


class InternalError(LookbackError, RuntimeError):
    """The engine has a bug."""

    code = "internal"


class MissingLibraryError(LookbackError, ImportError):
    """A library is needed that is not installed."""

    code = "missing-library"


def of_code(code: str) -> type[LookbackError]:
    """The class for a code.

    >>> of_code("session-not-found").__name__
    'SessionNotFoundError'
    >>> of_code("from-the-future").__name__
    'LookbackError'
    """
    return BY_CODE.get(code, LookbackError)


#: Every class by its code.
BY_CODE: dict[str, type[LookbackError]] = {
    member.code: member
    for member in list(globals().values())
    if isinstance(member, type) and issubclass(member, LookbackError) and member is not LookbackError
}
