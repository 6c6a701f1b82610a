import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { Database, type Query } from '../../../platform/database/database.js';
import type { Letter } from '../../../platform/mail/letter.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import { Secrets } from '../secrets/secrets.service.js';

const CLAIMED = 'accounts.cpf_claimed';
const LEFT_OUT = 'accounts.cpf_left_out';
const OWNER = 'select auth.owner_of_cpf($1) as id';
const ADDRESS = 'select email from auth.users where id = $1';

type Words = Omit<Letter, 'to' | 'button'>;

const TO_OWNER: Words = {
  subject: 'Seu CPF foi usado em outro cadastro no Rende',
  paragraphs: [
    'Alguém criou uma conta no Rende com o seu CPF e outro e-mail. O CPF continua só na sua conta, e nada nela mudou.',
    'Foi você? Sua conta já existe: entre com este e-mail.',
  ],
  footnote: 'Não foi você? Não precisa fazer nada.',
};
const TO_NEWCOMER: Words = {
  subject: 'Sua conta no Rende ficou sem o CPF',
  paragraphs: [
    'O CPF que você informou já está em outra conta do Rende, por isso ficou de fora desta. O resto do cadastro está salvo.',
    'Se a outra conta é sua, entre com o e-mail dela. Se digitou errado, informe o CPF certo em Ajustes, Minha conta.',
  ],
};

/**
 * A CPF belongs to one account. No answer to a sign-up tells that it is known: the account begins without it, and both
 * people are told by mail.
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

  /** Whether nobody has the CPF; where somebody has, the mails are put that say so, to be woken after the commit. */
  async isFree(
    query: Query,
    userId: string,
    fingerprint: Buffer,
  ): Promise<{ isFree: boolean; mailIds: string[] }> {
    const [owner] = await query<{ id: string | null }>(OWNER, [fingerprint]);
    const ownerId = owner!.id;
    if (ownerId === null) return { isFree: true, mailIds: [] };
    const today = new Date().toISOString().slice(0, 10);
    const mails = [
      // One a day, however often the CPF is used.
      { id: this.secrets.idOf(`${CLAIMED} ${today} ${ownerId}`), kind: CLAIMED, personId: ownerId },
      { id: this.secrets.idOf(`${LEFT_OUT} ${userId}`), kind: LEFT_OUT, personId: userId },
    ];
    for (const mail of mails)
      await this.outbox.put(query, { ...mail, tenantId: null, subjectId: mail.personId });
    return { isFree: false, mailIds: mails.map(({ id }) => id) };
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
