import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import QRCode from 'qrcode';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { Problem } from '../../platform/http/problem.js';
import type { PaymentPage } from './charges.api.js';
import { byId, shown } from './charges.queries.js';
import { todayIn } from './days.js';
import { PaymentLinks } from './payment-links.service.js';
import type { ShownPixAccount } from './pix.api.js';
import { brCode } from './pix-code.js';

/** What whoever has the link may see of a charge. */
export class ShowPaymentPage extends Query<PaymentPage> {
  constructor(readonly token: string) {
    super();
  }
}

@QueryHandler(ShowPaymentPage)
export class ShowPaymentPageHandler implements IQueryHandler<ShowPaymentPage> {
  constructor(
    private readonly database: Database,
    private readonly links: PaymentLinks,
    private readonly clock: Clock,
  ) {}

  async execute({ token }: ShowPaymentPage): Promise<PaymentPage> {
    const { tenantId, chargeId, timezone, personal } = await this.links.find(token);
    const [[row], [account]] = await Promise.all([
      this.database.read(tenantId, byId({ id: chargeId })),
      this.database.read(tenantId, pixAccount({})),
    ]);
    if (!row || row.student_nome === null) throw new Problem('charges.link_not_valid');
    const { descricao, valor, falta, vencimento, situacao } = shown(row, todayIn(this.clock.now(), timezone));
    const code =
      falta > 0 && account?.chave && account.nome && account.cidade
        ? brCode({
            ...{ chave: account.chave, nome: account.nome, cidade: account.cidade },
            ...{ valor: falta, txid: row.txid },
          })
        : null;
    return {
      ...{ personal, primeiro_nome: row.student_nome.split(' ')[0]!, descricao: descricao ?? 'Cobrança' },
      ...{ valor, falta, vencimento, situacao, avisada: row.avisada_em !== null },
      pix: code === null ? null : { codigo: code, qr: await qrOf(code) },
    };
  }
}

export class ShowPixAccount extends Query<ShownPixAccount> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(ShowPixAccount)
export class ShowPixAccountHandler implements IQueryHandler<ShowPixAccount> {
  constructor(private readonly database: Database) {}

  async execute({ context }: ShowPixAccount): Promise<ShownPixAccount> {
    const [row] = await this.database.read(context.tenantId, pixAccount({}));
    if (!row || row.chave === null) return { conta: null };
    const { tipo, chave, nome, cidade } = row;
    return {
      conta: {
        tipo: tipo as NonNullable<ShownPixAccount['conta']>['tipo'],
        ...{ chave, nome: nome ?? '', cidade: cidade ?? '' },
      },
    };
  }
}

const pixAccount = statement((db) =>
  db.selectFrom('pix_accounts').select(['tipo', 'chave', 'nome', 'cidade']).compile(),
);

/** An SVG that a page puts into an image. */
async function qrOf(code: string): Promise<string> {
  const svg = await QRCode.toString(code, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
  return svg.trim();
}
