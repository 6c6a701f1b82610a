import { plural } from '../../platform/plural.api.js';
import { brl, dateFormat, firstName, shortDate, weekdayAndTime } from '../../platform/portuguese.js';
import { formatPhone } from '../students/phone-format.api.js';
import type { NoticeKind } from './notice.js';

/** A stored notification, with the name of the student whom it is about. */
export interface Told {
  tipo: NoticeKind;
  nome: string | null;
  subject_id: string;
  student_id: string;
  quantidade: number;
  inicio: Date | null;
  antes: Date | null;
  /** Null on a locked screen, which others can see. */
  valor: number | null;
  dia: string | null;
  /**
   * In the list, the name or phone that the student told and the trainer is still to answer, null once that is settled; or the
   * text of an answer, null where it is none.
   */
  informado?: string | null;
  /** The reader's name as a student, where the account is several students of the trainer; only for what leaves the application. */
  de?: string | null;
}

const MONTH = dateFormat({ month: 'long' }, 'UTC');

interface Words {
  titulo: string;
  texto: string;
  /** Page that shows it. */
  endereco: string;
}

/** The texts of a notification in the list. */
export function wordsOf(told: Told, timezone: string): Words {
  const { tipo, subject_id, student_id } = told;
  const at = (instant: Date | null) => (instant === null ? '' : weekdayAndTime(instant, timezone));
  const when = at(told.inicio);
  const moved = told.antes === null ? when : `De ${at(told.antes)} para ${when}`;
  const amount = told.valor === null ? '' : brl(told.valor);
  const day = shortDate(told.dia ?? '');
  const who = told.nome ?? 'Aluno apagado';
  const session = `/agenda?sessao=${subject_id}`;
  const payments = `/alunos/${student_id}?aba=pagamentos`;
  const contracts = `/alunos/${student_id}?aba=contratos`;
  const say = (titulo: string, texto: string, endereco: string) => ({ titulo, texto, endereco });
  const sessions = (one: string, other: string, texto: string) =>
    told.quantidade === 1
      ? say(`Aula ${one}`, texto, '/aluno')
      : say(plural(told.quantidade, `aula ${one}`, `aulas ${other}`), `A partir de ${when}`, '/aluno');
  switch (tipo) {
    case 'agendou':
      return say(`${who} agendou uma sessão`, when, session);
    case 'reservou':
      return say(`${who} reservou pelo link público`, `${when}. Confirme na agenda.`, session);
    case 'remarcou':
      return say(`${who} remarcou`, moved, session);
    case 'desmarcou':
      return say(`${who} desmarcou`, when, session);
    case 'desfez':
      return say(`${who} desfez o que mudou`, `A sessão de ${when} está mantida.`, session);
    case 'vaga_aberta':
      return say('Abriu uma vaga na turma', `${when}. É sua se agendar até ${at(told.antes)}.`, '/aluno');
    case 'turma_cancelada':
      return say(
        'Turma cancelada por falta de alunos',
        `${when}, sem custo para ninguém. Quem tem conta foi avisado; para os outros há uma mensagem em Lembretes.`,
        session,
      );
    case 'pediu_desmarcar':
      return say(`${who} pediu para desmarcar`, when, session);
    case 'pediu_remarcar':
      return say(`${who} pediu para remarcar`, when, session);
    case 'retirou_pedido':
      return say(`${who} cancelou o pedido`, `A sessão de ${when} está mantida.`, session);
    case 'oferta_a_enviar':
      return say(
        `Abriu um horário para ${who}`,
        `${when}. Envie a oferta pelo WhatsApp.`,
        '/agenda?abrir=lembretes',
      );
    case 'pagou':
      return say(`${who} pagou${amount && ` ${amount}`}`, 'O Pix foi confirmado.', payments);
    case 'avisou_pagamento':
      return say(`${who} avisou que já pagou`, 'Confira e marque a cobrança como paga.', payments);
    case 'a_devolver':
      return say(
        `Devolva ${amount} a ${who}`,
        'A aula paga antes não vai acontecer. O valor está em “A devolver”.',
        payments,
      );
    case 'pix_a_decidir':
      return say(
        amount ? `Chegou um Pix de ${amount}` : 'Chegou um Pix a decidir',
        'Ele não conta em nada até você decidir o que é.',
        '/cobrancas',
      );
    case 'assinou':
      return say(`${who} assinou um contrato`, 'A cópia assinada está em Contratos.', contracts);
    case 'recusou_contrato':
      return say(`${who} recusou um contrato`, 'Veja o motivo em Contratos.', contracts);
    case 'calendario_parado':
      return say(
        'Seu outro calendário parou de responder',
        `Desde ${when}, o que você marca lá não bloqueia horários aqui.`,
        '/ajustes/calendario',
      );
    case 'whatsapp_parado':
      return say(
        'O envio pelo WhatsApp parou',
        'A Meta recusou o modelo ou o acesso. Veja o motivo; as mensagens esperam em Lembretes.',
        '/ajustes/whatsapp',
      );
    case 'nao_vai':
      return say(`${who} respondeu que não vai`, `${when}. A sessão continua na agenda.`, session);
    case 'respondeu_whatsapp':
      return say(
        `${who} respondeu no WhatsApp`,
        told.informado === undefined
          ? 'Abra o Rende para ler.'
          : (told.informado ?? 'Não é um texto: o Rende não recebe áudios nem arquivos.'),
        `/alunos/${student_id}`,
      );
    case 'whatsapp_nao_entregue':
      return say(
        `O WhatsApp não entregou uma mensagem a ${who}`,
        'O motivo está no histórico. Mande você mesmo, em Lembretes ou Cobranças.',
        `/alunos/${student_id}`,
      );
    case 'parou_whatsapp':
      return say(
        `${who} não quer mais mensagens automáticas`,
        'Pediu pelo WhatsApp. As mensagens ficam prontas para você em Lembretes.',
        `/alunos/${student_id}`,
      );
    case 'mes_entregue_mudou': {
      const month = (told.dia ?? '').slice(0, 7);
      return say(
        `O mês de ${MONTH.format(new Date(`${month}-15`))} mudou depois da entrega`,
        'O mês já estava entregue ao contador. Veja o que mudou.',
        `/financeiro?mes=${month}`,
      );
    }
    case 'mudou_whatsapp':
    case 'mudou_nome':
      return say(
        `${who} mudou o ${tipo === 'mudou_nome' ? 'nome' : 'WhatsApp'}`,
        toldInWords(told),
        `/alunos/${student_id}`,
      );
    case 'aula_marcada':
      return sessions('agendada', 'agendadas', when);
    case 'aula_remarcada':
      return sessions('remarcada', 'remarcadas', moved);
    case 'aula_desmarcada':
      return sessions('desmarcada', 'desmarcadas', when);
    case 'turma_desmarcada':
      return say('Turma cancelada por falta de alunos', `${when}, sem custo para você.`, '/aluno');
    case 'aula_de_volta':
      return sessions('de volta na agenda', 'de volta na agenda', when);
    case 'aula_local':
      return sessions('com novo local', 'com novo local', when);
    case 'cancelamento_aceito':
      return say('Pedido aceito', `A aula de ${when} foi desmarcada.`, '/aluno');
    case 'mudanca_aceita':
      return say('Pedido aceito', `A aula de ${when} foi remarcada.`, '/aluno');
    case 'pedido_recusado':
      return say('Pedido recusado', `A aula de ${when} está mantida.`, '/aluno');
    case 'cobranca':
      return say('Nova cobrança', `${amount ? `${amount}, vence` : 'Vence'} em ${day}`, '/aluno');
    case 'contrato':
      return say('Contrato para assinar', 'Leia e assine aqui.', `/aluno/contratos/${subject_id}`);
    case 'creditos':
      return say('Créditos perto do vencimento', `Validade até ${day}.`, '/aluno/extrato');
    case 'lembrete':
      return say('Lembrete de aula', when, '/aluno');
  }
}

function toldInWords({ tipo, informado }: Told): string {
  if (informado === undefined) return 'Atualizar o cadastro?';
  if (informado === null) return 'Já respondido.';
  return `Para ${tipo === 'mudou_nome' ? informado : formatPhone(informado)}: atualizar?`;
}

/**
 * The texts outside the application, for a reader who may be several students of several trainers: they name the student
 * where there is a choice, and the address selects trainer and student.
 */
export function outsideWordsOf(told: Told, { timezone, tenantId }: Whence): Words {
  const { titulo, texto, endereco } = wordsOf(told, timezone);
  const isStudents = endereco.startsWith('/aluno') && !endereco.startsWith('/alunos');
  return {
    titulo: told.de ? `${told.de} · ${titulo}` : titulo,
    texto,
    endereco: isStudents ? `${endereco}?personal=${tenantId}&aluno=${told.student_id}` : endereco,
  };
}

interface Whence {
  timezone: string;
  tenantId: string;
}

/** The texts on a locked screen: only first names, and no amounts. */
export function lockScreenWordsOf(told: Told, whence: Whence): Words {
  const [nome = null, de = null] = [told.nome, told.de].map((name) => name && firstName(name));
  return outsideWordsOf({ ...told, nome, de, valor: null }, whence);
}
