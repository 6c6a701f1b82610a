import { refuseChanged } from '../../platform/event-store/aggregate.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { isInUse } from '../../platform/event-store/uses.js';
import { searchable } from '../../platform/searchable.api.js';
import { decideArchive, decideRemove, decideTag, existingStudent, student } from './student.js';
import type { TagsChange } from './students.api.js';

/** Leaves out tags that differ from an earlier one only by case or accents. */
export function distinctTags(tags: readonly string[]): string[] {
  const words = tags.map(searchable);
  return tags.filter((_, index) => words.indexOf(words[index]!) === index);
}

export const TagStudent = defineCommand('TagStudent', async (tx, id: string, wanted: TagsChange) => {
  const state = await tx.load(student, id);
  const seen = wanted.se_ainda?.etiquetas && { etiquetas: distinctTags(wanted.se_ainda.etiquetas) };
  refuseChanged('As etiquetas', existingStudent(state), seen);
  tx.append(student, id, decideTag(state, distinctTags(wanted.etiquetas)));
  return { id };
});

export const ArchiveStudent = defineCommand('ArchiveStudent', async (tx, id: string) => {
  tx.append(student, id, decideArchive(await tx.load(student, id)));
  return { id };
});

export const RemoveStudent = defineCommand('RemoveStudent', async (tx, id: string) => {
  const [state, inUse] = await Promise.all([tx.load(student, id), isInUse(tx, student, id)]);
  tx.append(student, id, decideRemove(state, inUse));
  return { id };
});
