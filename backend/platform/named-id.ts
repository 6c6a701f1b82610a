import { createHash } from 'node:crypto';

/** A UUID computed from a name, so that the stream refuses a second entity of the same name. */
export function namedId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}
