import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, Navigate, useLocation, useParams } from 'react-router-dom';
import { dueDayInWords } from '../../../../backend/modules/plans/monthly-terms.api.js';
import type { KnownStudent, ListedStudent } from '../../../../backend/modules/students/students.api.js';
import type { MailStop } from '../../../../backend/platform/mail/mail-stops.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import {
  type Day,
  type Moment,
  dayOf,
  formatDate,
  formatDay,
  formatMoment,
  todayIn,
} from '../../lib/dates.js';
import { maskCpf } from '../../lib/masks.js';
import { formatMoney } from '../../lib/money.js';
import { inPast, useMoment } from '../../lib/moment.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { CreditFigure } from '../../ui/credit-figure.js';
import { IconAction, IconActions } from '../../ui/icon-actions.js';
import { Facts } from '../../ui/facts.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { Beyond, isBeyond, Past } from '../../ui/past.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { Quiet } from '../../ui/quiet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { toneOfCredits } from '../../parts/credit-tag.js';
import { MergeStudent } from './merge-student.js';
import { PauseStudent } from './pause-student.js';
import RestoreSheet from './restore-sheet.js';
import type { ShownStudent } from '../../parts/pending-student.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';
import { StudentNotes } from './student-notes.js';
import { StudentTabs, type StudentTab } from './student-tabs.js';
import { StudentTags } from './student-tags.js';
import classes from './student-page.module.css';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import { useStudent, useStudentAt } from '../../parts/students.queries.js';
import { useToldContacts } from '../../parts/told-contacts.queries.js';
import { Why } from '../../parts/why.js';
import { ToldQuestions } from '../../parts/told-question.js';

interface StudentPageProps {
  /** The renew button and the unsent credits, from another feature. */
  renew: (student: ListedStudent) => ReactNode;
  pending: (studentId: string) => ReactNode;
  /** Tells that a monthly plan has no agreement, from another feature. */
  notAgreed: (student: KnownStudent) => ReactNode;
  /** The sheet of the dossier, from another feature. */
  dossier: (student: ListedStudent) => ReactNode;
  /** Of a past moment, from other features. */
  past: (studentId: string, moment: Moment) => ReactNode;
  /** The tabs of other features. */
  tabs: Record<Exclude<StudentTab, 'anotacoes'>, (student: KnownStudent) => ReactNode>;
}

/** A student's page: overview, actions, and tabs with all data; of a past moment, what is known of it. */
export function StudentPage(props: StudentPageProps) {
  const { moment } = useMoment();
  return moment ? <PastPage moment={moment} past={props.past} /> : <PresentPage {...props} />;
}

function PresentPage({ renew, pending, notAgreed, dossier, tabs }: StudentPageProps) {
  const { id = '' } = useParams();
  const student = useStudent(id);
  const { search } = useLocation();
  const time = useMoment();
  // Merged into another one.
  if (student.data && student.data.id !== id)
    return <Navigate to={`/alunos/${student.data.id}${search}`} replace />;
  return (
    <Page
      title={student.data?.nome ?? 'Aluno'}
      back="/alunos"
      subtitle={student.data && <Standing student={student.data} />}
      action={
        student.data &&
        !student.data.esquecido && (
          <Button component={Link} to={`/alunos/edit/${id}`} size="sm" variant="default">
            Editar
          </Button>
        )
      }
    >
      <Past what="Aluno" {...time} />
      <Async of={student} failure="Erro ao carregar aluno" skeleton={<Skeletons count={3} height={180} />}>
        {(data) => (
          <>
            {data.esquecido && <Forgotten />}
            <Told studentId={id} />
            <Head student={data} renew={renew} pending={pending} notAgreed={notAgreed} />
            <StudentTabs>
              {(tab) =>
                tab === 'anotacoes' ? (
                  <StudentNotes studentId={id} closed={data.esquecido} />
                ) : (
                  tabs[tab](data)
                )
              }
            </StudentTabs>
            {dossier(data)}
          </>
        )}
      </Async>
    </Page>
  );
}

/** What was known of a student at a moment; nothing on it acts. */
function PastPage({ moment, past }: { moment: Moment } & Pick<StudentPageProps, 'past'>) {
  const { id = '' } = useParams();
  const student = useStudentAt(id, moment.at);
  const time = useMoment();
  if (student.data && student.data.id !== id)
    return <Navigate to={inPast(`/alunos/${student.data.id}`, moment)} replace />;
  return (
    <Page
      title={student.data?.nome ?? 'Aluno'}
      back="/alunos"
      subtitle={student.data && <Standing student={student.data} />}
    >
      <Past what="Aluno" {...time} />
      {isBeyond(student.error) ? (
        <Beyond error={student.error} />
      ) : (
        <Async of={student} failure="Erro ao carregar aluno" skeleton={<Skeletons count={3} height={180} />}>
          {(data) => (
            <>
              <Card className={classes.head}>
                <Known student={data} moment={moment} />
              </Card>
              {past(id, moment)}
              <Quiet size="sm">
                Só a página de hoje mostra quais renovações já estavam pagas e se os e-mails chegavam.
              </Quiet>
            </>
          )}
        </Async>
      )}
    </Page>
  );
}

/** What the student changed in the own account. */
function Told({ studentId }: { studentId: string }) {
  const { data: told = [] } = useToldContacts();
  return <ToldQuestions of={told.filter(({ id }) => id === studentId)} />;
}

function Standing({ student: { arquivado, esquecido, pausado_ate } }: { student: ShownStudent }) {
  if (esquecido) return null;
  if (arquivado) return <Tag icon="archive">Inativo</Tag>;
  return (
    pausado_ate && (
      <span className={classes.standing}>
        <Tag icon="clock">Pausado até {formatDate(pausado_ate)}</Tag>
      </span>
    )
  );
}

function Forgotten() {
  return (
    <Card>
      <Notice icon="shield" title="Os dados pessoais foram apagados">
        Sessões, créditos e valores foram mantidos sem o nome, para as contas fecharem. Nada mais pode ser
        alterado aqui.
      </Notice>
    </Card>
  );
}

type HeadProps = Pick<StudentPageProps, 'renew' | 'pending' | 'notAgreed'> & { student: ShownStudent };

function Head({ student, renew, pending, notAgreed }: HeadProps) {
  const { id, creditos } = student;
  const phone = student.whatsapp ?? student.telefone;
  return (
    <Card className={classes.head}>
      {student.pendente && <PendingMark ownLine />}
      <CreditFigure credits={creditos} tone={toneOfCredits(creditos)} pending={pending(id)} />
      {student.creditos_de && <Quiet size="sm">Inclui os créditos de {student.creditos_de}.</Quiet>}
      {student.pausado_ate && <Why of={`pause:${id}`} label="Por que a pausa?" />}
      <Known student={student} />
      {notAgreed(student)}
      {!student.esquecido && <StudentTags studentId={id} tags={student.etiquetas} />}
      {student.esquecido ? (
        <MergeStudent student={student} />
      ) : (
        <Actions student={student} phone={phone} renew={renew(student)} />
      )}
    </Card>
  );
}

/** Notes and facts, now or as they were. */
function Known({ student, moment }: { student: ShownStudent; moment?: Moment }) {
  const zone = useZone();
  const { plano, proxima, ultima, divida, observacoes, etiquetas, frequencia } = student;
  const phone = student.whatsapp ?? student.telefone;
  return (
    <>
      {observacoes && (
        <p className={classes.notes}>
          <strong>Observações</strong> {observacoes}
        </p>
      )}
      <Facts
        of={[
          ['Plano', plano?.nome ?? 'Sem plano'],
          // Today they have places of their own.
          ['Mensalidade', moment && monthlyInWords(student)],
          ['Etiquetas', moment && etiquetas.join(', ')],
          [
            'Próxima sessão',
            proxima ? (
              <Link className={classes.fact} to={inPast(`/agenda?dia=${dayOf(proxima, zone)}`, moment)}>
                {formatMoment(proxima, zone)}
              </Link>
            ) : (
              'Nada agendado'
            ),
          ],
          ['Última sessão', ultima && formatDay(dayOf(ultima, zone), todayIn(zone))],
          ['Frequência', !student.esquecido && <Frequency of={frequencia} />],
          ['Vencido', divida > 0 && formatMoney(divida)],
          ['Telefone', phone && <PhoneLink phone={phone} />],
          ['E-mail', student.email_parado && stopped[student.email_parado]],
          ['CPF', student.cpf && maskCpf(student.cpf)],
          ['Nascimento', student.nascimento && birthInWords(student.nascimento, todayIn(zone))],
          [
            'Emergência',
            someone(student.emergencia_nome, student.emergencia_telefone, student.emergencia_relacao),
          ],
          ['Responsável', someone(student.responsavel_nome, student.responsavel_telefone)],
        ]}
      />
    </>
  );
}

/** Sessions of the last four weeks against those before, the missed ones and the plan; a bar for each of the last weeks. */
function Frequency({ of: { semanas, faltas, plano } }: { of: KnownStudent['frequencia'] }) {
  const done = (from: number, to?: number) => semanas.slice(from, to).reduce((sum, each) => sum + each, 0);
  const [last, before] = [done(-4), done(-8, -4)];
  const most = Math.max(...semanas);
  const facts = [
    `antes ${before}`,
    faltas > 0 && plural(faltas, 'falta', 'faltas'),
    plano &&
      `plano: ${plano.creditos} ${plano.dias === 30 ? 'por mês' : `em ${plural(plano.dias, 'dia', 'dias')}`}`,
  ];
  return (
    <>
      {plural(last, 'sessão', 'sessões')} em 4 semanas
      <br />
      <span className={classes.quiet}>{facts.filter(Boolean).join(' · ')}</span>
      {most > 0 && (
        <span className={classes.weeks} aria-hidden>
          {semanas.map((count, week) => (
            // A week has no other name than its place.
            <span
              key={week}
              style={{ blockSize: `${Math.max(10, (count / most) * 100)}%` }}
              data-none={count === 0 || undefined}
            />
          ))}
        </span>
      )}
    </>
  );
}

/** Why the student gets no mails. */
const stopped: Readonly<Record<MailStop, string>> = {
  asked: 'Pediu para não receber seus e‑mails',
  complained: 'Marcou um e-mail seu como spam e não recebe mais',
  bounced: 'O último e-mail voltou: corrija o endereço em Editar',
};

const PhoneLink = ({ phone }: { phone: string }) => (
  <a className={classes.fact} href={`tel:${phone}`}>
    {formatPhone(phone)}
  </a>
);

/** `R$ 480,00, no dia 5, desde 01/11/2026` */
const monthlyInWords = ({ mensalidade }: KnownStudent): string | null =>
  mensalidade
    ? [
        `${formatMoney(mensalidade.valor)}, no ${dueDayInWords(mensalidade.vence_dia)}, desde ${formatDate(mensalidade.desde)}`,
        mensalidade.ate && `até ${formatDate(mensalidade.ate)}`,
      ]
        .filter(Boolean)
        .join(', ')
    : null;

/** `17/05/1990 · 36 anos` */
function birthInWords(birth: Day, today: Day): string {
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  const age = today.slice(5) < birth.slice(5) ? years - 1 : years;
  return `${formatDate(birth)} · ${plural(age, 'ano', 'anos')}`;
}

/** Another contact of a student; null if there is none. */
function someone(name: string | null, phone: string | null, relation: string | null = null): ReactNode {
  const words = [name, relation && `(${relation})`].filter(Boolean).join(' ');
  if (!words && !phone) return null;
  return (
    <>
      {words}
      {words && phone && <br />}
      {phone && <PhoneLink phone={phone} />}
    </>
  );
}

interface ActionsProps {
  student: ShownStudent;
  phone: string | null;
  renew: ReactNode;
}

/** The filled button: renewal for a student without credits, otherwise booking. */
function Actions({ student, phone, renew }: ActionsProps) {
  const { id, arquivado, creditos, plano } = student;
  const book = `/agenda?novo=agendamento&aluno=${id}`;
  const isRenewalFirst = renew !== null && creditos <= 0;
  return (
    <>
      <div className={classes.actions}>
        {!arquivado && !isRenewalFirst && (
          <Button component={Link} to={book} size="sm" leftSection={<Icon name="calendar" size={18} />}>
            Agendar
          </Button>
        )}
        {!arquivado && renew}
        {arquivado && <Restore student={student} />}
        <MergeStudent student={student} />
      </div>
      <IconActions>
        {!arquivado && isRenewalFirst && (
          <IconAction icon="calendar" to={book}>
            Agendar
          </IconAction>
        )}
        {phone && (
          <IconAction icon="chat" href={whatsAppAddress(phone)}>
            WhatsApp
          </IconAction>
        )}
        {!arquivado && (
          <IconAction
            icon="wallet"
            to={`/cobrancas?novo=cobranca&aluno=${id}${plano ? `&plano=${plano.id}` : ''}`}
          >
            Cobrar
          </IconAction>
        )}
        {!arquivado && <PauseStudent student={student} />}
      </IconActions>
    </>
  );
}

function Restore({ student }: { student: ShownStudent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" leftSection={<Icon name="undo" size={18} />} onClick={() => setOpen(true)}>
        Reativar
      </Button>
      {isOpen && <RestoreSheet student={student} onClose={() => setOpen(false)} />}
    </>
  );
}
