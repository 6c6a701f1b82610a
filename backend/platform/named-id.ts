import { createHash } from 'node:crypto';

/** The id of what is named: the same for the same name, so that a second one would be refused by its stream. */
export function namedId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}
