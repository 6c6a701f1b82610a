import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';
import { Config } from '../config/env.js';
import { Problem } from '../http/problem.js';
import { syncFolderOf } from '../sync-folder.js';
import type { RequestContext } from './context.js';

const forgetting = z.object({
  /** ISO instant at which it was decided. */
  at: z.iso.datetime(),
  personId: z.uuid(),
  context: z.object({
    tenantId: z.uuid(),
    userId: z.uuid(),
    role: z.enum(['personal', 'aluno']),
    studentId: z.uuid().nullable(),
    timezone: z.string(),
    requestId: z.string(),
    device: z.string().nullable(),
  }),
});

/** A request to forget a person: whom, when, and by whom. */
export type Forgetting = z.infer<typeof forgetting>;

const accountDeletion = z.object({
  /** ISO instant at which it was decided. */
  at: z.iso.datetime(),
  accountId: z.uuid(),
});

/** Whose account is to be deleted, with the ids that only the account referred to. */
export type AccountDeletion = z.infer<typeof accountDeletion>;

const entry = z.union([forgetting, accountDeletion]);
export type ForgottenEntry = z.infer<typeof entry>;

/** Repeats an entry of the list; the module that forgets people provides it. */
export abstract class ForgetAgain {
  /** Returns whether the database knows the person. */
  abstract forgetAgain(forgetting: Forgetting): Promise<boolean>;
}

/** The same for a whole account. */
export abstract class DeleteAccountAgain {
  /** Returns whether the database knows the account. */
  abstract deleteAgain(deletion: AccountDeletion): Promise<boolean>;
}

/**
 * Who was forgotten, as ids in a file outside the database (FORGOTTEN_FILE), one line of JSON each. A backup that was
 * made before does not contain it, so a restore reads it here. A line is synced to disk before the forgetting is
 * committed, so that no crash loses one; at worst a restore completes a forgetting whose commit failed.
 */
@Injectable()
export class ForgottenList implements OnApplicationBootstrap {
  constructor(private readonly config: Config) {}

  /** The server does not start if the list cannot be written. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.roles.has('api')) return;
    await this.append('').catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`FORGOTTEN_FILE: não foi possível gravar em ${this.config.forgottenFile} (${code}).`);
    });
  }

  /** Resolves when the line is synced to disk. @throws Problem `busy` if it cannot be written */
  async add(personId: string, at: Date, context: RequestContext): Promise<void> {
    const { tenantId, userId, role, studentId, timezone, requestId, device } = context;
    await this.write({
      at: at.toISOString(),
      personId,
      context: { tenantId, userId, role, studentId, timezone, requestId, device },
    });
  }

  /** The same for a whole account. @throws Problem `busy` */
  async addAccount(accountId: string, at: Date): Promise<void> {
    await this.write({ at: at.toISOString(), accountId });
  }

  private async write(added: ForgottenEntry): Promise<void> {
    // Starts with a line break, because a full disk may have cut off the line before. That forgetting was not
    // committed.
    await this.append(`\n${JSON.stringify(added)}\n`).catch((cause: unknown) => {
      throw new Problem('busy', { cause });
    });
  }

  /** In the order of writing. @throws if there is no list, or the file is not such a list */
  async read(): Promise<ForgottenEntry[]> {
    const { forgottenFile } = this.config;
    const text = await readFile(forgottenFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new Error(
        `Não foi possível ler ${forgottenFile} (${error.code}), a lista de dados apagados: aponte FORGOTTEN_FILE para ela. Se nenhum dado foi apagado desde o backup, crie o arquivo vazio.`,
      );
    });
    return text.split('\n').flatMap((line, index) => this.parse(line, index + 1));
  }

  /** Returns undefined for a line that was cut off. */
  private parse(line: string, number: number): ForgottenEntry[] {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return [];
    }
    const { data } = entry.safeParse(value);
    if (data) return [data];
    throw new Error(
      `A linha ${number} de ${this.config.forgottenFile} não é de uma lista de dados apagados.`,
    );
  }

  private async append(text: string): Promise<void> {
    const { forgottenFile } = this.config;
    await mkdir(path.dirname(forgottenFile), { recursive: true, mode: 0o700 });
    const file = await open(forgottenFile, 'a', 0o600);
    try {
      await file.appendFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolderOf(forgottenFile);
  }
}
