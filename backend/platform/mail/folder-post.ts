import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/env.js';
import { type Letter, letterHtml, letterText } from './letter.js';
import { Post } from './post.js';

export interface KeptMail {
  id: string;
  at: Date;
  to: string;
  subject: string;
}

/**
 * Mails as files: `<id>.txt`, `<id>.html` and, what is attached, `<id>.ics` or `<id>.json`, readable only by the process's user. File names contain nothing personal.
 */
@Injectable()
export class FolderPost extends Post {
  private readonly folder: string;

  constructor(private readonly config: Config) {
    super();
    this.folder = config.mailFolder;
  }

  async send(id: string, letter: Letter): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const head = [`De: ${this.config.mailFrom}`, `Para: ${letter.to}`, `Assunto: ${letter.subject}`];
    await this.write(`${id}.html`, letterHtml(letter));
    if (letter.attachment)
      await this.write(`${id}${extname(letter.attachment.name)}`, letter.attachment.content);
    await this.write(`${id}.txt`, `${head.join('\n')}\n\n${letterText(letter)}\n`);
  }

  async forget(id: string): Promise<void> {
    for (const ending of ['txt', 'html', 'ics', 'json'])
      await rm(join(this.folder, `${id}.${ending}`), { force: true });
  }

  /** The newest first. */
  async list(): Promise<KeptMail[]> {
    const names = await readdir(this.folder).catch(() => []);
    const mails = await Promise.all(
      names.filter((name) => name.endsWith('.txt')).map((name) => this.read(name)),
    );
    return mails.sort((a, b) => b.at.getTime() - a.at.getTime());
  }

  /** Undefined if the folder has no such mail. */
  html(id: string): Promise<string | undefined> {
    return readFile(join(this.folder, `${id}.html`), 'utf8').catch(() => undefined);
  }

  /** Writes atomically: to a temporary file, then renames it. */
  private async write(name: string, text: string): Promise<void> {
    const file = join(this.folder, name);
    await writeFile(`${file}.part`, text, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }

  private async read(name: string): Promise<KeptMail> {
    const file = join(this.folder, name);
    const [text, { mtime }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    const field = (label: string) => new RegExp(`^${label}: (.*)$`, 'm').exec(text)?.[1] ?? '';
    return { id: name.slice(0, -'.txt'.length), at: mtime, to: field('Para'), subject: field('Assunto') };
  }
}
