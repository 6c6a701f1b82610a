import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import type { Letter } from '../../platform/mail/letter.js';
import { type Mail, Outbox } from '../../platform/mail/outbox.js';
import { plural } from '../../platform/plural.api.js';
import { shortDate } from '../../platform/portuguese.js';
import { IntegrityChecks, SEAL_MAIL } from './integrity-checks.service.js';
import { headCodeOf } from './seal-code.js';
import { leafIn } from './seal-files.service.js';
import { type CheckResult, outcomeNames, proofFileOf } from './seals.api.js';

const DUE = 'select tenant_id as "tenantId" from seal_mails_due($1)';

/**
 * On the first of each month, or later in it where that day was missed, the own log of each trainer who wants it is verified, and the
 * result mailed with the proof.
 */
@Injectable()
export class SealMails implements OnModuleInit {
  constructor(
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly checks: IntegrityChecks,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.outbox.define(SEAL_MAIL, (mail) => this.compose(mail));
  }

  /** `today`: in Brasília, where all days before it are sealed. */
  async request(today: string): Promise<void> {
    const month = `${today.slice(0, 7)}-01`;
    const due = await this.database.lookUp<{ tenantId: string }>(DUE, [month]);
    await eachAlone(
      due,
      (one) => one,
      ({ tenantId }) => this.checks.request(tenantId, month),
    );
  }

  /** Null if the mail was switched off meanwhile, or the account is gone. */
  private async compose({ tenantId, subjectId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, wanted({ id: subjectId }));
    if (!row) return null;
    const { situacao, registros, lacres, achados, comprovante } = row.result;
    const outcome = outcomeNames[situacao];
    return {
      to: row.email,
      subject: `Lacre do seu histórico: ${outcome}`,
      paragraphs: [
        `Conferimos ${plural(registros, 'registro', 'registros')} do seu histórico e ${plural(lacres.conferidos, 'lacre', 'lacres')}. Resultado: ${outcome}.`,
        ...achados,
        ...(comprovante ? proofIn(comprovante) : []),
      ],
      button: { label: 'Abrir verificações', url: `${this.config.siteUrl}/ajustes/integridade` },
      footnote: 'Você ativou este e-mail mensal. Para desativar, abra Ajustes → Verificar integridade.',
      ...(comprovante && { attachment: proofFileOf(comprovante) }),
    };
  }
}

function proofIn({ registro, folha }: NonNullable<CheckResult['comprovante']>): string[] {
  const { day } = JSON.parse(registro) as { day: string };
  const { tenantId, position, head } = leafIn(folha);
  return [
    `Lacre de ${shortDate(day)}: seu histórico vai até o registro ${position}, com o código ${headCodeOf({ tenantId, position, hash: head })} e o resumo SHA-256 ${head}.`,
    'O anexo é o comprovante assinado deste lacre. Guarde este e-mail: com ele, você descobre se algum registro até esse dia for mudado ou apagado, mesmo por quem tem acesso ao servidor.',
    'O lacre não prova que o que foi registrado é verdade, nem cobre o que veio depois desse dia.',
  ];
}

const wanted = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('integrity_checks as c')
    .innerJoin('seal_mails as w', 'w.tenant_id', 'c.tenant_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.tenant_id', '=', 'c.tenant_id').on('m.role', '=', 'personal'),
    )
    .innerJoin('auth.users as u', (join) =>
      join.onRef('u.id', '=', 'm.user_id').on('u.email_confirmed_at', 'is not', null),
    )
    .select('u.email')
    .select(sql<CheckResult>`c.result`.as('result'))
    .where('c.id', '=', id)
    .compile(),
);
