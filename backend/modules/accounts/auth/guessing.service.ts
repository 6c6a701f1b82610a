import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import type { Letter } from '../../../platform/mail/letter.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import { Metrics } from '../../../platform/ops/metrics.js';
import { dateOf } from '../../../platform/local-time.js';
import { Secrets } from '../secrets/secrets.service.js';

const KIND = 'accounts.guessing';
const OWNER = 'select id from auth.users where email = $1';
const ADDRESS = 'select email from auth.users where id = $1';

/** Counts wrong passwords of an account from unknown browsers, and tells the owner once a day when there are many. */
@Injectable()
export class Guessing implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly metrics: Metrics,
    private readonly secrets: Secrets,
  ) {}

  onModuleInit(): void {
    this.outbox.define(KIND, ({ subjectId }) => this.compose(subjectId));
  }

  /** Writes the same rows whether or not the address has an account. */
  async note(email: string): Promise<void> {
    this.metrics.passwordsSlowed.inc();
    const today = dateOf(new Date(), 'UTC');
    const id = this.secrets.idOf(`guessing ${today} ${email}`);
    const [owner] = await this.database.query<{ id: string }>(OWNER, [email]);
    const personId = owner?.id ?? null;
    await this.database.transact((query) =>
      this.outbox.put(query, { id, kind: KIND, tenantId: null, personId, subjectId: personId ?? id }),
    );
    this.outbox.wake(id);
  }

  private async compose(userId: string): Promise<Letter | null> {
    const [owner] = await this.database.query<{ email: string }>(ADDRESS, [userId]);
    if (!owner) return null;
    return {
      to: owner.email,
      subject: 'Muitas senhas erradas na sua conta do Rende',
      paragraphs: [
        'Alguém errou a senha da sua conta muitas vezes, de aparelhos que você não costuma usar. A conta continua protegida.',
        'Por isso, em aparelhos novos, o login com senha fica bloqueado por até 1 hora: entre com um código enviado a este e-mail. Nos aparelhos em que você já entrou, nada muda.',
        'Se a sua senha é fácil de adivinhar ou usada em outro lugar, troque na página Conta.',
      ],
      button: { label: 'Ir para o login', url: `${this.config.siteUrl}/auth` },
      footnote: 'Foi você? Então não precisa fazer nada.',
    };
  }
}
