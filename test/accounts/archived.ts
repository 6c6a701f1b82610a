import { ExportWriter } from '../../backend/modules/accounts/own-data/export-writer.js';
import type { TestApp } from '../support/app.js';
import { unzip } from '../support/zip.js';

/** Name of a trainer's archive in the copy of their data. */
export const ARCHIVE = 'arquivo-completo.jsonl';

/** The copy that a worker makes for the trainer, by the names of its files. */
export async function copyFrom(
  { nest }: TestApp,
  { userId }: { userId: string },
): Promise<Map<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of nest.get(ExportWriter).write(userId)) chunks.push(chunk);
  return unzip(Buffer.concat(chunks));
}

/** The content of the file of the business with this name. */
export const partOf = (files: Map<string, string>, name: string): string =>
  [...files].find(([each]) => each.endsWith(`/${name}`))![1];

/** What the files of a copy say of the business, without those that are about this moment or this Rende. */
export const saidByFiles = (files: Map<string, string>): [name: string, content: string][] =>
  [...files].filter(([name]) => !['LEIA-ME.txt', 'conta.json', ARCHIVE].some((each) => name.endsWith(each)));

/** What an archive says of the business, line by line, without the sums over it. */
export const saidByArchive = (archive: string): string[] =>
  archive
    .trimEnd()
    .split('\n')
    .filter((line) => !/^\{"n":\d+,"kind":"(header|account|end)"/.test(line))
    .map((line) => line.replace(/,"sum":"\w+"\}$/, '}'));
