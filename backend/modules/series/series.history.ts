import type { HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import { shortDate } from '../../platform/portuguese.js';
import { reassignedWords } from '../students/reassigned.js';
import { inWords, untilInWords, weekdaysInWords } from './pattern.js';
import type { SeriesEvent } from './series.js';

type DataOf<Type extends SeriesEvent['type']> = Extract<SeriesEvent, { type: Type }>['data'];

const subjects = ({ series_id, student_id }: { series_id: string; student_id: string }) => [
  `series:${series_id}`,
  `student:${student_id}`,
];

const sessions = (count: number) => plural(count, 'sessão', 'sessões');
const skipped = (count: number) => count > 0 && plural(count, 'data pulada', 'datas puladas');
const listed = (...parts: (string | false)[]) => parts.filter(Boolean).join(', ');
const since = ({ escopo, desde }: { escopo: string; desde: string }) =>
  escopo === 'todas' ? 'Todas as próximas' : `De ${shortDate(desde)} em diante`;

const undone: Record<DataOf<'SeriesUndone'>['desfez'], string> = {
  criada: 'Desfez o agendamento de um horário fixo',
  alterada: 'Desfez a alteração de um horário fixo',
  cancelada: 'Desfez o cancelamento de um horário fixo',
  dias: 'Desfez a mudança dos dias de um horário fixo',
  excluida: 'Desfez a exclusão de um horário fixo',
};

export const seriesHistory: HistoryWords<SeriesEvent> = {
  SeriesStarted: {
    subjects,
    words: (data) =>
      `Agendou ${inWords(data, data.trechos[0]!)}${untilInWords(data.ate)}: ${listed(
        sessions(data.sessoes.length),
        skipped(data.puladas.length),
      )}`,
  },
  SeriesExtended: {
    subjects,
    words: ({ sessoes, puladas, preenchida_ate }) =>
      `Continuou o horário fixo até ${shortDate(preenchida_ate)}: ${listed(
        sessions(sessoes.length),
        skipped(puladas.length),
      )}`,
  },
  SeriesChanged: {
    subjects,
    words: (data) =>
      `${since(data)}, alterou o horário fixo: ${listed(
        sessions(data.sessoes.length),
        data.mantidas > 0 && `${plural(data.mantidas, 'ficou como estava', 'ficaram como estavam')}`,
      )}`,
  },
  SeriesEnded: {
    subjects,
    words: (data) =>
      `${since(data)}, ${data.como === 'cancelada' ? 'cancelou' : 'excluiu'} o horário fixo: ${sessions(data.sessoes.length)}`,
  },
  SeriesDaysChanged: {
    subjects,
    words: (data) =>
      `${since(data)}, mudou os dias do horário fixo para ${weekdaysInWords(data.dias)}: ${listed(
        data.sessoes.length > 0 && plural(data.sessoes.length, 'sessão adicionada', 'sessões adicionadas'),
        data.excluidas.length > 0 && plural(data.excluidas.length, 'sessão removida', 'sessões removidas'),
        skipped(data.puladas.length),
      )}`,
  },
  SeriesJoined: { subjects, words: () => 'Passou a dividir o horário fixo com outros alunos' },
  SeriesZoneChanged: {
    subjects,
    words: ({ trechos }) =>
      `Pelo novo fuso horário, o horário fixo passou a ser às ${trechos.at(-1)!.hora.replace(/^0(?=\d)/, '')}: as sessões não mudaram`,
  },
  SeriesUndone: { subjects, words: ({ desfez }) => undone[desfez] },
  SeriesReassigned: {
    subjects: ({ series_id }) => [`series:${series_id}`],
    words: reassignedWords,
  },
};
