import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  type DossierPreview,
  dossierQuery,
  type DossierQuery,
  firstDayTo,
} from '../../../../backend/modules/dossier/dossier.api.js';
import type { ListedStudent } from '../../../../backend/modules/students/students.api.js';
import { counted, plural } from '../../../../backend/platform/plural.api.js';
import { useAnswer } from '../../lib/answer.js';
import { addMonths, type Day, dayOf, formatDate } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { saveFile } from '../../lib/save-file.js';
import { useShown } from '../../lib/shown.js';
import { reads } from '../../lib/topics.js';
import { useToday, useZone } from '../../lib/zone.js';
import { ChoiceChip, ChoiceChips } from '../../ui/choice-chip.js';
import { DateField } from '../../ui/date-field.js';
import { Facts } from '../../ui/facts.js';
import { FieldPair } from '../../ui/form.js';
import { Notice } from '../../ui/notice.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import classes from './dossier.module.css';

const DOSSIER = reads('dossier', [
  'history',
  'sessions',
  'credits',
  'charges',
  'transactions',
  'receipts',
  'contracts',
  'students',
]);

/** A student's dossier of a period: what it will hold, and the file. `?dossie` opens it. */
export function DossierSheet({ student: { id, nome } }: { student: ListedStudent }) {
  const [shown, setShown] = useShown('dossie');
  return (
    <Sheet opened={shown !== null} onClose={() => setShown(null)} title={`Dossiê · ${nome}`}>
      <Dossier studentId={id} />
    </Sheet>
  );
}

type Choice = 'meses' | 'contrato' | 'dias';

function Dossier({ studentId }: { studentId: string }) {
  const today = useToday();
  const zone = useZone();
  const [choice, setChoice] = useState<Choice>('meses');
  const months = { de: addMonths(today, -3), ate: today };
  const [days, setDays] = useState(months);
  const recent = useDossier(studentId, months);
  const signed = recent.data?.contrato && dayOf(recent.data.contrato.assinado_em, zone);
  const periods: Record<Choice, DossierQuery> = {
    meses: months,
    contrato: { de: laterOf(signed ?? months.de, firstDayTo(today)), ate: today },
    dias: days,
  };
  const period = periods[choice];
  const { error } = dossierQuery.safeParse(period);
  return (
    <div className={classes.dossier}>
      <ChoiceChips label="Período">
        <ChoiceChip aria-pressed={choice === 'meses'} onClick={() => setChoice('meses')}>
          Últimos 3 meses
        </ChoiceChip>
        {signed && (
          <ChoiceChip aria-pressed={choice === 'contrato'} onClick={() => setChoice('contrato')}>
            Desde o contrato
          </ChoiceChip>
        )}
        <ChoiceChip aria-pressed={choice === 'dias'} onClick={() => setChoice('dias')}>
          Escolher
        </ChoiceChip>
      </ChoiceChips>
      {choice === 'dias' ? (
        <FieldPair>
          <DateField label="De" max={today} value={days.de} onChange={(de) => setDays({ ...days, de })} />
          <DateField
            label="Até"
            max={today}
            value={days.ate}
            error={days.de && days.ate && error?.issues[0]?.message}
            onChange={(ate) => setDays({ ...days, ate })}
          />
        </FieldPair>
      ) : (
        <Quiet size="sm">
          {`De ${formatDate(period.de)} a ${formatDate(period.ate)}${choice === 'contrato' && signed !== period.de ? ', os últimos 24 meses' : ''}.`}
        </Quiet>
      )}
      {!error && <Contents studentId={studentId} period={period} />}
    </div>
  );
}

const useDossier = (id: string, query: DossierQuery) =>
  useAnswer([DOSSIER, id, query], 'GET /students/:id/dossier', { of: [id], query });

const laterOf = (one: Day, other: Day) => (one > other ? one : other);

function Contents({ studentId, period }: { studentId: string; period: DossierQuery }) {
  return (
    <Async
      of={useDossier(studentId, period)}
      failure="Erro ao preparar o dossiê"
      skeleton={<Skeletons count={1} height={280} />}
    >
      {(preview) =>
        isEmpty(preview) ? (
          <Notice icon="history" title="Nada aconteceu neste período">
            Escolha outro período para ver sessões, pagamentos e mensagens deste aluno.
          </Notice>
        ) : (
          <>
            <Facts of={contentsOf(preview)} />
            <p>
              <b>Prova</b> quando cada registro foi feito, por quem e em que aparelho, e que nada do que já
              foi lacrado mudou depois. Quem recebe o PDF confere pelo QR Code.
            </p>
            <p>
              <b>Não prova</b> que o registrado é verdade, nem que uma mensagem enviada foi lida. Suas
              observações e anotações ficam de fora; o CPF do aluno sai mascarado.
            </p>
            <Download studentId={studentId} period={period} />
          </>
        )
      }
    </Async>
  );
}

const isEmpty = ({ sessoes, creditos, cobrancas, pagamentos, mensagens }: DossierPreview) =>
  sessoes + creditos + cobrancas + pagamentos + mensagens === 0;

function contentsOf(preview: DossierPreview): [name: string, value: string | false][] {
  const { contrato, regras, sessoes, canceladas, creditos, cobrancas, pagamentos, mensagens } = preview;
  const { registros, lacrado_em } = preview;
  return [
    [
      'Contrato',
      contrato ? `${contrato.titulo ?? 'Contrato'}, versão ${contrato.versao}` : 'Nenhum assinado',
    ],
    ['Regras de cancelamento', regras > 0 && counted(regras)],
    [
      'Sessões',
      `${counted(sessoes)}${canceladas > 0 ? `, ${plural(canceladas, 'cancelada', 'canceladas')}` : ''}`,
    ],
    ['Extrato de créditos', plural(creditos, 'lançamento', 'lançamentos')],
    ['Cobranças', counted(cobrancas)],
    ['Pagamentos', counted(pagamentos)],
    ['Mensagens', counted(mensagens)],
    [
      'Registros de origem',
      `${counted(registros)}, ${lacrado_em ? `com o lacre de ${formatDate(lacrado_em)}` : 'ainda sem lacre'}`,
    ],
  ];
}

function Download({ studentId, period }: { studentId: string; period: DossierQuery }) {
  const [isLoading, setLoading] = useState(false);
  const download = async () => {
    setLoading(true);
    await attempt(
      async () =>
        saveFile(
          await http.file(`/students/${studentId}/dossier/file`, { ...period }),
          `dossie-${period.de}-${period.ate}.pdf`,
        ),
      'Erro ao baixar o dossiê',
    );
    setLoading(false);
  };
  return (
    <SheetActions>
      <Button loading={isLoading} onClick={() => void download()}>
        Baixar PDF
      </Button>
    </SheetActions>
  );
}
