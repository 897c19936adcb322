// Who calls without a key (D44): a device by an id of its own.

/** The header that carries the device id. */
export const DEVICE_HEADER = 'x-service-client-id';
/** What a device id may be. */
export const DEVICE_ID = /^[A-Za-z0-9_-]{16,128}$/;
