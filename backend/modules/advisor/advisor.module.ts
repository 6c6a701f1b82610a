import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { stateProjection } from '../../platform/projections/projection.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { sharingApi, type Sharing, type SharingChange } from './sharing.api.js';
import { advisorErrors } from './advisor.api.js';
import { AdvisorController } from './advisor.controller.js';
import { ListFading, ListNames, RankStudents, ShowAdvisorSharing } from './advisor.queries.js';
import { Advisor } from './advisor.service.js';
import { BuiltInAdvisor } from './built-in-advisor.service.js';
import { ModelServer } from './model-server.service.js';
import { advisorSharing, type AdvisorSharingSet, decideShare } from './sharing.js';

const SetAdvisorSharing = defineCommand('SetAdvisorSharing', async (tx, wanted: SharingChange) => {
  const id = tx.context.tenantId;
  tx.append(advisorSharing, id, decideShare(await tx.load(advisorSharing, id), wanted));
  return { id };
});

const words: Record<Sharing, string> = {
  nada: 'Deixou o Consultor Financeiro responder sem servidor de IA',
  sem_nomes: 'Deixou o Consultor Financeiro usar o servidor de IA, sem nomes de alunos',
  com_nomes: 'Deixou o Consultor Financeiro usar o servidor de IA, com nomes de alunos',
};

const sharingHistory: HistoryWords<AdvisorSharingSet> = {
  AdvisorSharingSet: {
    subjects: (_data, tenantId) => [`settings:${tenantId}`],
    words: ({ envio }) => words[envio],
  },
};

/**
 * The advisor ("Consultor Financeiro", `POST /api/v1/financial-advisor`) is built in. `understand.ts` parses Portuguese text
 * into an intent, periods, a student and an amount; `*-answers.ts` put the results of other modules' queries into words. A
 * message that is not understood is answered as such. The stream has OpenAI's format; a figure is a separate part with `fonte`,
 * the page that shows it. The route only reads (`asks`): actions are sent as cards (`ato`) with the body of an ordinary command,
 * which the browser sends with the card's own key, so it takes effect once. A payment or an expense is recorded without a tap
 * (`agora`) only if every word and sign of the message is part of one affirmative statement about it (`statement.ts`; the words
 * are data, in `lexicon.ts`): whatever denies, doubts, supposes, foretells, reports or takes back, and any word that is not
 * known, gets a card that asks, or an answer. `statement.spec.ts` tries it with 24,000 generated sentences. A question takes
 * over the topic or the period of the one before it only if it has no words about anything else. Example phrasings are in
 * `test/fixtures/advisor`: one half to write rules with, the other to measure them.
 *
 * A language model (`ADVISOR_URL`, `model*.ts`) is asked about everything that is not an action, if the trainer allows it
 * (`advisor-sharing`). It reads only through tools (`model.tools.ts`), in its tenant, and refers to the facts that these return
 * by ids (`{{f1}}`); the server inserts figures and links. An answer with a number of its own, in digits or words, or without a
 * fact is discarded (`model-facts.ts`), and the built-in advisor answers. Students are called "Aluno A" unless names may be sent
 * (`model-names.ts`). The whole answer is checked before its first word is shown.
 */
@Module(
  together(serve(sharingApi, { show: ShowAdvisorSharing, share: SetAdvisorSharing }), {
    controllers: [AdvisorController],
    providers: [
      Advisor,
      BuiltInAdvisor,
      ModelServer,
      ListNames.Handler,
      ListFading.Handler,
      RankStudents.Handler,
    ],
  }),
)
export class AdvisorModule {
  static readonly feature: Feature = {
    aggregates: [advisorSharing],
    // A tenant's choice, under the tenant's id.
    projections: [
      stateProjection(advisorSharing, {
        name: 'advisor-sharing',
        topic: 'advisor-sharing',
        table: 'advisor_sharing',
      }),
    ],
    history: sharingHistory,
    ownData: { trainer: { 'consultor-financeiro': `select envio from advisor_sharing` } },
    errors: advisorErrors,
  };
}
