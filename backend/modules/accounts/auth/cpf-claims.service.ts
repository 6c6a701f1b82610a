import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { Database, type Query } from '../../../platform/database/database.js';
import type { Letter } from '../../../platform/mail/letter.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import { dateOf } from '../../../platform/local-time.js';
import { Secrets } from '../secrets/secrets.service.js';

const CLAIMED = 'accounts.cpf_claimed';
const LEFT_OUT = 'accounts.cpf_left_out';
const OWNER = 'select auth.owner_of_cpf($1) as id';
const ADDRESS = 'select email from auth.users where id = $1';

interface Claim {
  fingerprint: Buffer | null;
  mailIds: string[];
}

type Words = Omit<Letter, 'to' | 'button'>;

const TO_OWNER: Words = {
  subject: 'Seu CPF foi usado em outro cadastro no Rende',
  paragraphs: [
    'Alguém informou o seu CPF em uma conta do Rende com outro e-mail. O CPF continua ligado só à sua conta, e nada nela mudou.',
    'Foi você? Sua conta já existe: entre com este e-mail.',
  ],
  footnote: 'Não foi você? Não precisa fazer nada.',
};
const TO_NEWCOMER: Words = {
  subject: 'O CPF que você informou já está em outra conta do Rende',
  paragraphs: [
    'Seu cadastro está salvo e você pode usar tudo, mas o CPF continua ligado à outra conta.',
    'Se a outra conta é sua, entre com o e-mail dela. Se não é, ou se digitou errado, fale com o suporte.',
  ],
};

/**
 * A CPF belongs to one account. No answer reveals that it is taken: a second user who enters it sees it in the own profile, it
 * stays with the first account, and both owners are told by mail.
 */
@Injectable()
export class CpfClaims implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly secrets: Secrets,
  ) {}

  onModuleInit(): void {
    this.outbox.define(CLAIMED, ({ subjectId }) => this.compose(subjectId, TO_OWNER));
    this.outbox.define(LEFT_OUT, ({ subjectId }) => this.compose(subjectId, TO_NEWCOMER));
  }

  /**
   * The fingerprint of a CPF for the user's profile; null where another account has it. In that case adds the mails that tell
   * both owners, which are to be woken after the commit.
   */
  async claim(query: Query, userId: string, cpf: string, isToldNow: boolean): Promise<Claim> {
    const fingerprint = this.secrets.fingerprint(cpf);
    const [owner] = await query<{ id: string | null }>(OWNER, [fingerprint]);
    const ownerId = owner!.id;
    if (ownerId === null || ownerId === userId) return { fingerprint, mailIds: [] };
    if (!isToldNow) return { fingerprint: null, mailIds: [] };
    const today = dateOf(new Date(), 'UTC');
    const mails = [
      // At most one mail a day, however often the CPF is entered.
      { id: this.secrets.idOf(`${CLAIMED} ${today} ${ownerId}`), kind: CLAIMED, personId: ownerId },
      { id: this.secrets.idOf(`${LEFT_OUT} ${userId}`), kind: LEFT_OUT, personId: userId },
    ];
    for (const mail of mails)
      await this.outbox.put(query, { ...mail, tenantId: null, subjectId: mail.personId });
    return { fingerprint: null, mailIds: mails.map(({ id }) => id) };
  }

  wake(mailIds: readonly string[]): void {
    for (const id of mailIds) this.outbox.wake(id);
  }

  private async compose(userId: string, words: Words): Promise<Letter | null> {
    const [person] = await this.database.query<{ email: string }>(ADDRESS, [userId]);
    if (!person) return null;
    const button = { label: 'Ir para o login', url: `${this.config.siteUrl}/auth` };
    return { to: person.email, ...words, button };
  }
}

/** Whether another account took the CPF concurrently. */
export const isCpfTaken = (error: unknown): boolean =>
  (error as { constraint?: string }).constraint === 'profiles_cpf_key';
