import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { shortDate, weekdayAndTime } from '../../platform/portuguese.js';
import { searchable } from '../../platform/searchable.api.js';
import { accessOf, openInviteOf } from '../accounts/access-merge.commands.js';
import type { Access } from '../accounts/student-access.js';
import { comingOf } from '../agenda/sessions-bulk.commands.js';
import { pausedUntil, studentPause } from '../away/student-pause.js';
import { monthlyPlan } from '../charges/monthly-plan.js';
import { creditAccount, type Lot } from '../credits/credit-account.js';
import { creditSharing, type CreditSharingState } from '../credits/credit-sharing.js';
import { sharersOf } from '../credits/credit-sharing.loads.js';
import { publicLink } from '../public-link/public-link.js';
import { sessionRequest } from '../student-area/session-request.js';
import { activeStudent, existingStudent, type ExistingStudent, student } from '../students/student.js';
import { MAX_TAGS } from '../students/students.api.js';
import { toldContact, type ToldContactState } from '../told-contacts/told-contact.js';
import { type Belonging, belongingsOf } from './belongings.loads.js';
import { decideFill } from './merge.js';

/** Two records that are to be one, with all that the second one has. */
export interface Pair {
  fica: ExistingStudent;
  sai: ExistingStudent;
  things: Belonging[];
  lotes: Lot[];
  acessos: { fica: Access; sai: Access };
  /** Why they cannot be merged, in sentences. */
  impedimentos: string[];
}

/** @throws Problem 422 for the same student twice, 404 for one that is missing, 409 for one that is forgotten or was merged itself, or if the first is inactive */
export async function loadPair(tx: CommandTransaction, ficaId: string, saiId: string): Promise<Pair> {
  const [one, other, { things, isWaiting }, { lots }] = await Promise.all([
    tx.load(student, ficaId),
    tx.load(student, saiId),
    belongingsOf(tx, saiId),
    tx.load(creditAccount, saiId),
  ]);
  const pair = { fica: activeStudent(one), sai: existingStudent(other), things, lotes: lots };
  if (ficaId === saiId)
    throw new Problem('merging.same_student', {
      errors: [{ pointer: '/com', detail: 'Escolha outro aluno' }],
    });
  const acessos = { fica: await accessOf(tx, ficaId), sai: await accessOf(tx, saiId) };
  const impedimentos = await obstaclesOf(tx, { ...pair, acessos }, isWaiting);
  return { ...pair, acessos, impedimentos };
}

/** Hours that an obstacle names. */
const MOST_NAMED = 3;
const MOST_NOTES = 2000;

async function obstaclesOf(
  tx: CommandTransaction,
  { fica, sai, acessos }: Omit<Pair, 'impedimentos'>,
  isWaiting: boolean,
): Promise<string[]> {
  const { now } = tx;
  const { tenantId, timezone } = tx.context;
  const today = dateOf(now, timezone);
  const isSameName = searchable(fica.nome!) === searchable(sai.nome!);
  const este = isSameName ? 'Este cadastro' : fica.nome!;
  const outro = isSameName ? 'O outro cadastro' : sai.nome!;
  const ambos = isSameName ? 'Os dois cadastros' : `${este} e ${outro}`;
  const found: string[] = [];

  const [coming, own, agreed, agreedOwn, link, told] = await Promise.all([
    comingOf(tx, sai.student_id),
    comingOf(tx, fica.student_id),
    tx.load(monthlyPlan, sai.student_id),
    tx.load(monthlyPlan, fica.student_id),
    tx.load(publicLink, tenantId),
    tx.load(toldContact, sai.student_id),
  ]);
  const shared = coming.filter(({ inicio, fim }) =>
    own.some((mine) => mine.inicio < fim && mine.fim > inicio),
  );
  if (shared.length > 0) {
    const hours = shared.slice(0, MOST_NAMED).map(({ inicio }) => weekdayAndTime(inicio, timezone));
    const more = shared.length > MOST_NAMED ? ` e mais ${shared.length - MOST_NAMED}` : '';
    found.push(`${ambos} têm sessão no mesmo horário (${hours.join('; ')}${more}): desmarque uma das duas.`);
  }
  const requests = await Promise.all(coming.map(({ session_id }) => tx.load(sessionRequest, session_id)));
  const asked = coming.find(
    ({ student_id, inicio }, at) =>
      requests[at]!.aberto?.student_id === student_id && requests[at]!.aberto?.inicio === inicio,
  );
  if (asked)
    found.push(
      `${outro} tem um pedido sobre a sessão de ${weekdayAndTime(asked.inicio, timezone)}: responda antes.`,
    );
  if (agreed?.ativo && agreedOwn?.ativo) found.push(`${ambos} têm mensalidade: encerre uma das duas antes.`);
  for (const [who, words] of [
    [sai, outro],
    [fica, este],
  ] as const) {
    const until = pausedUntil(await tx.load(studentPause, who.student_id), today);
    if (until !== null) found.push(`${words} está em pausa até ${shortDate(until)}: encerre a pausa antes.`);
    if (link.bloqueados.includes(who.student_id))
      found.push(`${words} está bloqueado no link público: desbloqueie antes.`);
  }
  const pair = [fica.student_id, sai.student_id];
  const sharings = await Promise.all(pair.map((id) => tx.load(creditSharing, id)));
  const alunos = (await Promise.all(pair.map((id) => sharersOf(tx, id)))).flat();
  const owners = ownersOf(sharings, pair);
  if (owners.length > 1)
    found.push(`${ambos} usam créditos de outros alunos, cada um de um: desfaça uma das divisões antes.`);
  else if (owners.length === 1 && alunos.some((id) => !pair.includes(id)))
    found.push(
      `${ambos} dividem créditos: um usa os de outro aluno, e outro aluno usa os seus. Desfaça uma das divisões antes.`,
    );
  if (isWaiting) found.push(`${outro} está na lista de espera: tire da lista antes.`);
  for (const words of openOf(told)) found.push(`${outro} informou ${words}: responda antes.`);
  const {
    fica: { user_id: mine },
    sai: { user_id: theirs },
  } = acessos;
  if (mine !== null && theirs !== null && mine !== theirs)
    found.push(`${ambos} têm login, cada um o seu: encerre o acesso de um dos dois antes.`);
  const [invite, ownInvite] = [
    await openInviteOf(tx, sai.student_id),
    await openInviteOf(tx, fica.student_id),
  ];
  if (invite) found.push(`${outro} tem um convite pendente: ${cancelFirst[invite]}.`);
  if (theirs !== null && mine === null && ownInvite)
    found.push(`${este} tem um convite pendente, e ${outro} já tem login: ${cancelFirst[ownInvite]}.`);
  const { filled, events } = decideFill(fica, sai, null);
  if (
    filled.observacoes_juntas &&
    events.some(({ data }) => 'observacoes' in data && data.observacoes!.length > MOST_NOTES)
  )
    found.push('As observações dos dois cadastros juntas não cabem: encurte uma delas antes.');
  if (fica.etiquetas.length + filled.etiquetas.length > MAX_TAGS)
    found.push(`Os dois cadastros juntos têm mais de ${MAX_TAGS} etiquetas: remova algumas antes.`);
  return found;
}

const cancelFirst = {
  student: 'cancele o convite antes',
  payer: 'cancele o convite antes, na página de quem paga',
};

/** Whose credits the two records use, besides each other's. */
export const ownersOf = (sharings: readonly CreditSharingState[], pair: readonly string[]): string[] => [
  ...new Set(
    sharings.flatMap(({ dono_id }) => (dono_id === null || pair.includes(dono_id) ? [] : [dono_id])),
  ),
];

/** What the trainer is still asked about, in words. */
export const openOf = ({ whatsapp, nome }: ToldContactState): string[] => [
  ...(whatsapp?.aberto ? ['outro WhatsApp'] : []),
  ...(nome?.aberto ? ['outro nome'] : []),
];
