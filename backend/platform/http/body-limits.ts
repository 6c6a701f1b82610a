import type { FastifyInstance } from 'fastify';

/** Bodies of routes that do not say otherwise, in bytes. */
export const BODY_LIMIT = 64 * 1024;
/** Under `/auth/v1`, where strangers may send: an address, a password, a form's fields or a provider's token. */
const AUTH_BODY_LIMIT = 16 * 1024;

/** Keys and elements of one body: no form has a tenth of them. */
const MAX_VALUES = 1_000;
const MAX_DEPTH = 32;

const [QUOTE, BACKSLASH, COMMA, AMPERSAND] = [...Buffer.from('"\\,&')];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [...Buffer.from('{}[]')];

/** Gives each route the size of body that it needs; call it before the first one registers. */
export function limitBodies(instance: FastifyInstance): void {
  instance.addHook('onRoute', (options) => {
    const usual = options.url.startsWith('/auth/v1/') ? AUTH_BODY_LIMIT : BODY_LIMIT;
    options.bodyLimit = options.config?.route?.bodyLimit ?? usual;
  });
}

/**
 * What a JSON text has too much of, or undefined. Reads it once, byte by byte, and only as far as the first value or level
 * too many: refusing a text costs the same however much of it there is. Whether it is JSON at all is for the parser to say.
 */
export function excessOf(json: Uint8Array): 'levels' | 'values' | undefined {
  let values = 1;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) {
      values += 1;
      if (values > MAX_VALUES) return 'values';
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_DEPTH) return 'levels';
      values += 1;
      if (values > MAX_VALUES) return 'values';
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
  }
  return undefined;
}

/** Whether a form has more fields than any of ours; read only as far as the first one too many. */
export function hasExcessFields(form: Uint8Array): boolean {
  let fields = 1;
  for (let at = form.indexOf(AMPERSAND!); at >= 0; at = form.indexOf(AMPERSAND!, at + 1)) {
    fields += 1;
    if (fields > MAX_VALUES) return true;
  }
  return false;
}
