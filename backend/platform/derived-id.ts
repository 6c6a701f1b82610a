import { createHash } from 'node:crypto';

/** A UUID (version 8) computed from a text: the same text always gives the same id. */
export const derivedId = (text: string): string => uuidOf(text, 8);

/**
 * The same as version 4, for kinds of entities whose ids are stored in that form: the stream refuses a second entity of
 * the same name.
 */
export const namedId = (name: string): string => uuidOf(name, 4);

function uuidOf(text: string, version: number): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `$1-$2-${version}$3-8$4-$5`);
}
