import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import type { Letter } from '../../../platform/mail/letter.js';
import { type Mail, Outbox } from '../../../platform/mail/outbox.js';
import { MAIL_TOKEN_KINDS, type MailToken, type MailTokenKind, MailTokens } from './mail-tokens.service.js';

interface Words {
  subject: string;
  paragraphs: string[];
  button?: string;
}

const WORDS: Record<MailTokenKind, Words> = {
  signup: {
    subject: 'Confirme sua conta no Rende',
    paragraphs: [
      'Falta um passo para a sua agenda virar dinheiro: confirme que este e-mail é seu.',
      'Digite o código na tela em que você criou a conta ou abra o link.',
    ],
    button: 'Confirmar minha conta',
  },
  magiclink: {
    subject: 'Seu acesso ao Rende',
    paragraphs: ['Você pediu para entrar no Rende sem senha.'],
    button: 'Entrar no Rende',
  },
  recovery: {
    subject: 'Crie uma nova senha no Rende',
    paragraphs: ['Você pediu para criar uma nova senha. A senha atual vale até você trocar.'],
    button: 'Criar nova senha',
  },
  email_change_current: {
    subject: 'Confirme a troca do seu e-mail no Rende',
    paragraphs: [
      'Você pediu para trocar o e-mail da sua conta. A troca só vale depois de confirmada aqui e no e-mail novo.',
    ],
    button: 'Confirmar a troca',
  },
  email_change_new: {
    subject: 'Confirme o seu novo e-mail no Rende',
    paragraphs: [
      'Este endereço foi indicado como o novo e-mail de uma conta do Rende. A troca só vale depois de confirmada aqui e no e-mail antigo.',
    ],
    button: 'Confirmar este e-mail',
  },
  reauthentication: {
    subject: 'Seu código do Rende',
    paragraphs: ['Use este código para confirmar que é você.'],
  },
};

const TYPES: Partial<Record<MailTokenKind, string>> = {
  email_change_current: 'email_change',
  email_change_new: 'email_change',
};

const NOT_YOU = 'Não foi você? Ignore este e-mail e nada vai mudar.';

/** Tells the owner of an address that somebody else tried to change to it. */
const TAKEN = `select u.email from auth.mail_tokens t
  join auth.users o on o.id = t.owner_id join auth.users u on u.email = o.new_email
  where t.id = $1 and t.kind = 'email_change_new' and t.used_at is null`;
const OWNER = `select email, new_email from auth.users where id = $1
  union all select email, null from auth.pending_sign_ups where id = $1`;
const ASKED = `update auth.users set
    recovery_sent_at = case when $2 in ('recovery', 'magiclink') then now() else recovery_sent_at end
  where id = $1`;

/** Composes the mails of accounts when they are sent. */
@Injectable()
export class AuthMails implements OnModuleInit {
  constructor(
    private readonly outbox: Outbox,
    private readonly tokens: MailTokens,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    for (const kind of MAIL_TOKEN_KINDS) this.outbox.define(`accounts.${kind}`, (mail) => this.compose(mail));
  }

  private async compose({ subjectId }: Mail): Promise<Letter | null> {
    const [taken] = await this.database.query<{ email: string }>(TAKEN, [subjectId]);
    if (taken) return toldTaken(taken.email);
    const token = await this.tokens.handOver(subjectId);
    if (!token) return null;
    const [owner] = await this.database.query<{ email: string; new_email: string | null }>(OWNER, [
      token.owner_id,
    ]);
    const to = token.kind === 'email_change_new' ? owner?.new_email : owner?.email;
    if (!to) return null;
    await this.database.query(ASKED, [token.owner_id, token.kind]);
    const { subject, paragraphs, button } = WORDS[token.kind];
    return {
      to,
      subject,
      paragraphs,
      code: this.tokens.digits(token),
      ...(button && { button: { label: button, url: this.link(token) } }),
      footnote: `${button ? 'Código e link' : 'Código'} com validade de 10 minutos e uso único. ${NOT_YOU}`,
    };
  }

  private link(token: MailToken): string {
    const url = new URL(`${this.config.siteUrl}/auth/v1/verify`);
    url.searchParams.set('token', this.tokens.linkToken(token));
    url.searchParams.set('type', TYPES[token.kind] ?? token.kind);
    if (token.redirect_to !== null) url.searchParams.set('redirect_to', token.redirect_to);
    return url.href;
  }
}

/** The request gets the usual answer, so that it does not reveal the account. This mail has neither code nor link, and its token is void. */
function toldTaken(to: string): Letter {
  return {
    to,
    subject: 'Este e-mail já tem conta no Rende',
    paragraphs: [
      'Este endereço foi indicado como o novo e-mail de outra conta do Rende. Ele já é o da sua, por isso nada mudou.',
      'Foi você? Entre com este e-mail, ou escolha outro endereço para a outra conta.',
    ],
    footnote: NOT_YOU,
  };
}
