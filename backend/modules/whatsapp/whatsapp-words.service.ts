import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { withoutAddresses } from '../../platform/http/addresses.api.js';
import type { CommandContext } from '../../platform/event-store/context.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { plural } from '../../platform/plural.api.js';
import { brl, dayAndTime, firstName, shortDate, weekdayAndTime } from '../../platform/portuguese.js';
import { sumOf } from '../charges/bills.queries.js';
import { owedOn } from '../charges/charge-terms.api.js';
import { paymentUrl } from '../charges/payment-url.queries.js';
import { receiptPath } from '../finance/receipt-address.js';
import { nudgeId } from '../nudges/nudges.commands.js';
import { FindUntoldOffer } from '../public-link/waitlist.queries.js';
import { offerId } from './whatsapp.commands.js';
import type { MessageAbout } from './whatsapp-message.js';
import { toTell } from './whatsapp.queries.js';

/** Longest field: names of others keep within what a template takes in all. */
const LONGEST = 200;

export interface Composed {
  /** E.164. */
  to: string;
  /** Of the kind's template, in their order. */
  campos: string[];
}

/** What each kind of message says now; null if there is nothing, or no longer anything, to say, or nobody to say it to. */
@Injectable()
export class WhatsAppWords {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly tokens: LinkTokens,
    private readonly queries: QueryBus,
  ) {}

  async compose(
    context: CommandContext,
    { tipo, subject_id: id, student_id, sobre_id }: MessageAbout,
    now: Date,
  ): Promise<Composed | null> {
    const { tenantId } = context;
    const asked = { id, now };
    switch (tipo) {
      case 'oferta': {
        const [row] = await this.database.read(tenantId, toTell.oferta({ id: sobre_id, now }));
        const offer = row && (await this.queries.execute(new FindUntoldOffer(context, sobre_id)));
        if (!offer || offerId(sobre_id, offer.oferta) !== id) return null;
        const [at, until] = [dayAndTime(offer.inicio, row.timezone), weekdayAndTime(offer.ate, row.timezone)];
        return { to: row.whatsapp, campos: [called(row), plain(row.personal), at, until, offer.url] };
      }
      case 'lembrete': {
        const [row] = await this.database.read(tenantId, toTell.lembrete(asked));
        return row
          ? {
              to: row.whatsapp,
              campos: [called(row), plain(row.personal), weekdayAndTime(row.inicio, row.timezone)],
            }
          : null;
      }
      case 'cobranca': {
        const [row] = await this.database.read(tenantId, toTell.cobranca(asked));
        if (!row) return null;
        const today = dateOf(asked.now, row.timezone);
        const when = dueWords(row.vencimento, today);
        // Who pays for others is told of all that is open.
        const total = row.conta ? sumOf(row.conta, today) : owedOn(row.aberto, today).total;
        const link = row.conta_link_id ?? row.link_id;
        const [amount, url] = [plain(brl(total)), paymentUrl(this.config, this.tokens, link)];
        return { to: row.whatsapp, campos: [called(row), amount, plain(row.personal), when, url] };
      }
      case 'recibo': {
        const [row] = await this.database.read(tenantId, toTell.recibo(asked));
        if (!row) return null;
        const url = this.config.siteUrl + receiptPath(this.tokens, id);
        return {
          to: row.whatsapp,
          campos: [called(row), `${row.numero}`, plain(row.personal), plain(brl(row.valor)), url],
        };
      }
      case 'creditos': {
        const [row] = await this.database.read(tenantId, toTell.creditos(asked));
        if (!row) return null;
        const credits = plural(row.creditos, 'crédito', 'créditos');
        return {
          to: row.whatsapp,
          campos: [called(row), credits, plain(row.personal), shortDate(row.expira_em)],
        };
      }
      case 'turma':
      case 'renovar':
      case 'aniversario':
      case 'sumindo': {
        const today = dateOf(now, context.timezone);
        const wanted = { motivo: tipo, ...(tipo === 'turma' && { session_id: sobre_id }) };
        // One of another day is another message.
        if (nudgeId(student_id, wanted, today) !== id) return null;
        const [row] = await this.database.read(
          tenantId,
          toTell.nudge({ id: student_id, sobre_id, motivo: tipo, today, now }),
        );
        if (!row) return null;
        const [name, trainer] = [called(row), plain(row.personal)];
        if (tipo === 'turma')
          return {
            to: row.whatsapp,
            campos: [name, plain(row.turma!), weekdayAndTime(row.inicio!, row.timezone), trainer],
          };
        if (tipo === 'renovar')
          return { to: row.whatsapp, campos: [name, trainer, plain(row.plano!), plain(brl(row.valor!))] };
        return { to: row.whatsapp, campos: [name, trainer] };
      }
    }
  }
}

/** Meta refuses line breaks and rows of spaces; words of others contain no links. */
const plain = (text: string) => withoutAddresses(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST);
const called = ({ nome }: { nome: string }) => plain(firstName(nome));

function dueWords(due: string, today: string): string {
  if (due === today) return 'vence hoje';
  return `${due > today ? 'vence' : 'venceu'} em ${shortDate(due)}`;
}
