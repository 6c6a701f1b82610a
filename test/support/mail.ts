import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atEnd } from './cleanup.js';

let folder: string | undefined;

/** Folder in which the applications of this test file save their mails. */
export function mailFolder(): string {
  if (!folder) {
    const made = mkdtempSync(join(tmpdir(), 'rende-mail-'));
    folder = made;
    atEnd(async () => {
      folder = undefined;
      await rm(made, { recursive: true, force: true });
    });
  }
  return folder;
}

/** A folder that stays until the end of the worker. */
export function lastingMailFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'rende-mail-'));
  process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Makes this the test file's folder. */
export function useMailFolder(used: string): void {
  folder = used;
  atEnd(() => (folder = undefined));
}

export interface TestMail {
  subject: string;
  text: string;
  /** Six digits; empty if the mail has no code. */
  code: string;
  /** Empty if the mail has no link. */
  link: string;
}

const read = new Set<string>();

/** Unread mails to an address, except security notices. */
export async function unreadMail(to: string): Promise<TestMail[]> {
  const names = (await readdir(mailFolder())).filter((name) => name.endsWith('.txt') && !read.has(name));
  const mails: TestMail[] = [];
  for (const name of names) {
    // The file is gone if its recipient was forgotten meanwhile.
    const text = await readFile(join(mailFolder(), name), 'utf8').catch(() => '');
    if (!text.includes(`\nPara: ${to}\n`)) continue;
    const subject = /^Assunto: (.*)$/m.exec(text)![1]!;
    if (subject.startsWith('Aviso de segurança: ')) continue;
    read.add(name);
    mails.push({
      subject,
      text,
      code: /^Código: (\d{6})$/m.exec(text)?.[1] ?? '',
      link: /^(https?:\S+\/verify\?\S+)$/m.exec(text)?.[1] ?? '',
    });
  }
  return mails;
}

/** Waits for the next mail to an address. */
export async function nextMail(to: string): Promise<TestMail> {
  const end = Date.now() + 120_000;
  while (Date.now() < end) {
    const [mail] = await unreadMail(to);
    if (mail) return mail;
    await delay(20);
  }
  throw new Error(`no mail to ${to}`);
}
