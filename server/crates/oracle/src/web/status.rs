//! The statuses of answers: their numbers, their constants in Spring and the checks of them in its tests.

/// The number of a status by its constant.
pub fn number(name: &str) -> Option<u16> {
    STATUS.iter().find(|s| s.1 == name).map(|s| s.0)
}

/// The check of a status, by its number.
pub(crate) fn check_of(status: u16) -> Option<&'static str> {
    STATUS.iter().find(|s| s.0 == status).map(|s| s.2)
}

/// The check that a status is of a number.
pub const IS: &str = "is";

/// The check that it sends the client elsewhere.
pub(crate) const REDIRECTS: &str = "is3xxRedirection";

/// A check of more than its number.
pub const LINE: &str = "statusLine";

/// True for a check that nobody can read who does not know its number.
pub fn needs_number(check: &str) -> bool {
    [IS, LINE, "value"].contains(&check)
}

/// True if a check by that name may pass for a status; of a name that is not known, it may.
pub fn passes(check: &str, number: Option<u16>, status: u16) -> bool {
    match (check, number) {
        (IS, Some(number)) => number == status,
        ("is1xxInformational", _) => status / 100 == 1,
        ("is2xxSuccessful", _) => status / 100 == 2,
        (REDIRECTS, _) => status / 100 == 3,
        ("is4xxClientError", _) => status / 100 == 4,
        ("is5xxServerError", _) => status / 100 == 5,
        (check, _) => STATUS
            .iter()
            .find(|s| s.2 == check)
            .is_none_or(|s| s.0 == status),
    }
}

const STATUS: &[(u16, &str, &str)] = &[
    (200, "OK", "isOk"),
    (201, "CREATED", "isCreated"),
    (202, "ACCEPTED", "isAccepted"),
    (204, "NO_CONTENT", "isNoContent"),
    (301, "MOVED_PERMANENTLY", "isMovedPermanently"),
    (302, "FOUND", "isFound"),
    (303, "SEE_OTHER", "isSeeOther"),
    (304, "NOT_MODIFIED", "isNotModified"),
    (400, "BAD_REQUEST", "isBadRequest"),
    (401, "UNAUTHORIZED", "isUnauthorized"),
    (403, "FORBIDDEN", "isForbidden"),
    (404, "NOT_FOUND", "isNotFound"),
    (405, "METHOD_NOT_ALLOWED", "isMethodNotAllowed"),
    (406, "NOT_ACCEPTABLE", "isNotAcceptable"),
    (409, "CONFLICT", "isConflict"),
    (410, "GONE", "isGone"),
    (412, "PRECONDITION_FAILED", "isPreconditionFailed"),
    (415, "UNSUPPORTED_MEDIA_TYPE", "isUnsupportedMediaType"),
    (422, "UNPROCESSABLE_ENTITY", "isUnprocessableEntity"),
    (429, "TOO_MANY_REQUESTS", "isTooManyRequests"),
    (500, "INTERNAL_SERVER_ERROR", "isInternalServerError"),
    (501, "NOT_IMPLEMENTED", "isNotImplemented"),
    (503, "SERVICE_UNAVAILABLE", "isServiceUnavailable"),
];
