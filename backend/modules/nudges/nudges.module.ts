import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { nudge, type NudgeEvent } from './nudge.js';
import { nudgeErrors, nudgesApi, type NudgeReason } from './nudges.api.js';
import { DismissNudge, MarkNudgeSent, MarkNudgeUnsent } from './nudges.commands.js';
import { ListNudges } from './nudges.queries.js';

interface NudgeRow {
  student_id: string;
  motivo: NudgeReason;
  dia: string;
  session_id: string | null;
  enviado_em: string | null;
  dispensado_em: string | null;
}

const nudges = stateProjection(nudge, {
  name: 'nudges',
  topic: 'nudges',
  table: 'nudges',
  version: 2,
  evolve(_row: NudgeRow | undefined, { type, data, recordedAt }) {
    const { nudge_id: _, session_id = null, ...others } = data;
    const about = { ...others, session_id };
    switch (type) {
      case 'NudgeSent':
        return { ...about, enviado_em: recordedAt.toISOString(), dispensado_em: null };
      case 'NudgeDismissed':
        return { ...about, enviado_em: null, dispensado_em: recordedAt.toISOString() };
      case 'NudgeUnsent':
        return { ...about, enviado_em: null, dispensado_em: null };
    }
  },
});

type Data = NudgeEvent['data'];

const subjects = ({ student_id }: Data) => [`student:${student_id}`];
const KIND: Record<NudgeReason, string> = {
  turma: 'da turma que foi cancelada',
  renovar: 'de renovação dos créditos',
  aniversario: 'de aniversário',
  sumindo: 'a quem está sumindo',
};

const nudgeHistory: HistoryWords<NudgeEvent> = {
  NudgeSent: { subjects, words: ({ motivo }) => `Enviou pelo WhatsApp a mensagem ${KIND[motivo]}` },
  NudgeDismissed: { subjects, words: ({ motivo }) => `Dispensou a mensagem ${KIND[motivo]}` },
  NudgeUnsent: {
    subjects,
    words: ({ motivo }) => `Desfez o envio ou a dispensa da mensagem ${KIND[motivo]}`,
  },
};

/**
 * Messages that a trainer may send: to students without an account whose class was cancelled because too few came, to who has used up
 * the credits of their plan, on a birthday, and to who comes less (`fadingStudents` in `students` says who does). They are computed
 * when they are read; only that one was sent or dismissed is stored. A class's is offered until it would begin, a birthday's on that
 * day, the others again after four weeks, or with the next credits that are used up. The sheet "Lembretes" offers them, and the
 * dashboard counts them.
 */
@Module(
  serve(nudgesApi, {
    list: ListNudges,
    sent: MarkNudgeSent,
    dismissed: DismissNudge,
    unsent: MarkNudgeUnsent,
  }),
)
export class NudgesModule {
  static readonly feature: Feature = {
    aggregates: [nudge],
    projections: [nudges],
    history: nudgeHistory,
    ownData: {
      trainer: {
        'mensagens-a-alunos': `select n.id, n.student_id, a.nome as aluno, n.motivo, n.dia, n.session_id, n.enviado_em, n.dispensado_em
      from nudges n left join students a on a.tenant_id = n.tenant_id and a.id = n.student_id
      order by n.dia, n.id`,
      },
      student: {
        'mensagens-a-alunos': `select id, motivo, dia, session_id, enviado_em, dispensado_em from nudges where student_id = $1
      order by dia, id`,
      },
    },
    errors: nudgeErrors,
  };
}
