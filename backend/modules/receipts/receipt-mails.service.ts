import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Letter } from '../../platform/mail/letter.js';
import { ALL_MAILS, type Mail, Outbox } from '../../platform/mail/outbox.js';
import { brl } from '../../platform/portuguese.js';
import { defineReaction } from '../../platform/reactions/define-reaction.js';
import { Reactions } from '../../platform/reactions/reactions.js';
import type { ReceiptEvent } from './receipt.js';
import { ReceiptLinks } from './receipt-links.service.js';
import { issued } from './receipts.queries.js';

const KIND = 'receipts.receipt';

/** Mails a receipt to its student, if the trainer requested that. */
export const receiptMail = defineReaction({
  name: 'receipt-mail',
  events: ['ReceiptSent'] satisfies ReceiptEvent['type'][],
});

@Injectable()
export class ReceiptMails implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly links: ReceiptLinks,
  ) {}

  onModuleInit(): void {
    this.outbox.define(KIND, (mail) => this.compose(mail), ALL_MAILS);
    this.reactions.handle(receiptMail, async (occasion) => {
      const { canal, student_id, transaction_id } = occasion.event.data;
      if (canal !== 'email' || student_id === null) return undefined;
      const mail = { personId: student_id as string, subjectId: transaction_id as string };
      return this.outbox.react(occasion, { kind: KIND, ...mail });
    });
  }

  /** Null if the student no longer has an e-mail address. */
  private async compose({ tenantId, subjectId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, issued({ id: subjectId }));
    if (!row?.email || !row.student_nome) return null;
    return {
      to: row.email,
      subject: `Recibo nº ${row.numero}: ${brl(row.valor)}`,
      paragraphs: [
        `Oi, ${row.student_nome.split(' ')[0]}!`,
        `Segue o recibo nº ${row.numero}, de ${brl(row.valor)}${row.descricao ? ` (${row.descricao})` : ''}.`,
      ],
      button: { label: 'Abrir o recibo', url: this.links.urlOf(subjectId) },
      footnote: `Código de verificação: ${this.links.codeOf(subjectId)}`,
    };
  }
}
