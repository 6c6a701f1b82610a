import type { AllocationKind, ExpenseCategory } from '../finance/finance.api.js';
import type { Asked } from './asked.js';
import { conceptsOf, NUMBERS } from './lexicon.js';

/** What a message asks for or orders. */
export type Intent =
  | 'recebido'
  | 'previsto'
  | 'a_receber'
  | 'despesas'
  | 'lucro'
  | 'devedores'
  | 'guardar'
  | 'divisao'
  | 'melhor_mes'
  | 'pior_mes'
  | 'meta'
  | 'ticket'
  | 'sumindo'
  | 'faltas'
  | 'creditos'
  | 'aulas_devidas'
  | 'agenda'
  | 'comparar'
  | 'e_se'
  | 'receita'
  | 'despesa'
  | 'cobrar'
  | 'pagar'
  | 'agendar'
  | 'ajuda'
  | 'obrigado';

export const ACTS: ReadonlySet<Intent> = new Set(['receita', 'despesa', 'cobrar', 'pagar', 'agendar']);

export const isSummedUp = (intent: Intent): boolean =>
  [
    'recebido',
    'previsto',
    'despesas',
    'lucro',
    'guardar',
    'divisao',
    'ticket',
    'comparar',
    'faltas',
  ].includes(intent);

const OUT_OF_QUESTION =
  /\b(bitcoin|dolar|euro|acoes|bolsa|tesouro|dolares|euros|libras|cdb|investir|investimento|investimentos|emprestimo|mei|clima|previsao do tempo|receitas? de bolo|eleicao|eleicoes)\b/;

export function intentOf(asked: Asked): Intent | undefined {
  const { joined } = asked;
  if (OUT_OF_QUESTION.test(joined)) return undefined;
  if (LOWERS.test(joined) && (asked.has('hipotese') || /\bse (eu )?/.test(joined))) return undefined;
  return (
    hypothesis(asked) ??
    agendaLoad(asked) ??
    act(asked) ??
    comparison(asked) ??
    aboutPeople(asked) ??
    aboutMoney(asked) ??
    talk(asked)
  );
}

/** How something was paid, in a question. */
export const BY_METHOD = /\b(pix|cartao|especie|debito)\b|\b(em|no) dinheiro\b/;

/** The category of the expenses that are asked for. */
export const categoryAsked = (asked: Asked): ExpenseCategory | null =>
  isTaxPaid(asked) ? 'impostos' : asked.categoria;

/** Whether it asks about a part of a sum that has no category, or about persons, which no figure answers. */
export function isOfAPart(intent: Intent, asked: Asked): boolean {
  const { joined, has, isExpense, isNamed } = asked;
  if ((intent === 'despesas' || intent === 'lucro') && (isNamed || /\b(alun[oa]|cliente)\b/.test(joined)))
    return true;
  if (intent === 'despesas')
    return (
      (isExpense && categoryAsked(asked) === null) ||
      /\b(maior|menor)(es)? (gasto|despesa|custo|saida)s?\b/.test(joined) ||
      (BY_METHOD.test(joined) && categoryAsked(asked) !== null) ||
      COUNTED.test(joined)
    );
  if (intent === 'faltas') return /\b(nao|nunca|jamais|nem|menos)\b/.test(joined);
  if (intent === 'devedores') return isOfSomeDebts(asked);
  if (intent === 'melhor_mes' || intent === 'pior_mes')
    return /\b(melhor|pior|mais|menos|maior|menor|fraco|forte)\b.*\b(dia|semana)\b|\b(dia|semana)\b.*\b(mais|menos)\b/.test(
      joined,
    );
  if (isSummedUp(intent) && /\b(que|qual) (foi )?(o |a )?(meu |minha )?(semana|dia)\b/.test(joined))
    return true;
  if (/\b(maior|menor)(es)? (receita|recebimento|pagamento|entrada|pix)s?\b/.test(joined)) return true;
  if (isSummedUp(intent) && /\bpor (dia|semana|mes|ano)\b/.test(joined)) return true;
  if (intent !== 'recebido') return false;
  if (COUNTED.test(joined) && asked.isDated) return true;
  if (/\boutr[oa]s? (personal|personais|trainers?|trein\w+|profess\w+)\b/.test(joined)) return true;
  if (/\bpor (aula|hora|sessao|treino|alun[oa]|cliente)\b/.test(joined)) return true;
  if (BY_METHOD.test(joined) && (isNamed || isWho(asked))) return true;
  if (has('aluno') && /\b(novos?|novas?)\b/.test(joined)) return true;
  return (
    (has('aluno') || /\bquem\b/.test(joined)) &&
    /\b(mais|menos) (me )?(paga|pagam|pagou|rende|rendeu)\b|\b(paga|pagam|pagou|rende|rendeu) (mais|menos)\b/.test(
      joined,
    )
  );
}

const COUNTED = /\bquant[oa]s (receitas|despesas|recebimentos|pagamentos|gastos|lancamentos|entradas|pix)\b/;

/** Debts of an amount, the biggest ones, or who has none. */
function isOfSomeDebts({ joined, isNamed, valor }: Asked): boolean {
  if (isNamed) return false;
  return (
    valor !== undefined ||
    /\b(mais|menos) (me )?(deve|devem|devendo)\b|\b(deve|devem|devendo)( \w+)? (mais|menos)\b(?! de \w+ (dia|semana|mes))/.test(
      joined,
    ) ||
    /\bnao (esta |estao )?(me )?(deve|devem|devendo)\b/.test(joined)
  );
}

/** "e se eu cobrasse 10% a menos?": not supported, only increases are computed. */
const LOWERS =
  /\b(a menos|desconto|mais barat[oa]|baixar|baixasse|abaixar|abaixasse|diminuir|diminuisse|reduzir|reduzisse)\b/;

/** "e se eu cobrasse R$ 20 a mais?" */
function hypothesis({ has, joined, valor, percent, isQuestion }: Asked): Intent | undefined {
  if (valor === undefined && percent === undefined) return undefined;
  const supposes =
    has('hipotese') ||
    /\bse (eu )?(cobrar|aumentar|subir|aumentasse|cobrasse|subisse|colocar|por|botar)\b/.test(joined);
  const raises =
    /\b(a mais|mais caro|mais cara)\b/.test(joined) && (has('cobrar') || has('preco') || isQuestion);
  const prices = isQuestion && /\b(aumentar|subir)\b/.test(joined);
  return supposes || raises || prices ? 'e_se' : undefined;
}

/** Words for days, weeks and months of the agenda. */
const SOME_DAYS = /\b(hoje|amanha|ontem|semana|mes|dia|domingo|segunda|terca|quarta|quinta|sexta|sabado)\b/;

/** The intent about how full the agenda is, unlike questions about payments and orders to book. */
function agendaLoad({ has, joined, isQuestion, isNamed, valor, periods }: Asked): Intent | undefined {
  if (valor !== undefined) return undefined;
  if (has('credito', 'dever', 'comparar', 'pagar', 'sumir', 'acabar')) return undefined;
  if (/\b\d{1,2} ?h\b|\bas \d{1,2}\b/.test(joined)) return undefined;
  if (
    /\b(minha|como|ver|mostrar?) (esta |anda |vai )?(a |o )?(minha |meu )?(agenda|dia|semana)\b/.test(joined)
  )
    return 'agenda';
  if (
    /^(a )?agenda (de |da |do |para |para a )?(hoje|amanha|ontem|semana|mes|proxima|este|esse|esta|essa)\b/.test(
      joined,
    )
  )
    return 'agenda';
  if (!isQuestion && !/^(minha|meu|mostra|mostrar|ver)\b/.test(joined)) return undefined;
  const isCounted = /\b(quantas|quantos|quais)\b/.test(joined);
  if (isNamed && !SOME_DAYS.test(joined) && periods === 0) return undefined;
  const isDue =
    /\b(devo|devidas?|pagas?|repor|entregar|faltam?|com quantas)\b/.test(joined) ||
    ((has('dar') || /\bainda\b/.test(joined)) && !SOME_DAYS.test(joined));
  if (has('ocupacao') && (has('aula', 'agendar') || SOME_DAYS.test(joined) || periods > 0)) return 'agenda';
  const isHad = /\btenho\b.*\b(gente|alun[oa]s?|aulas?|treinos?)\b/.test(joined) && SOME_DAYS.test(joined);
  if (((isCounted && has('aula')) || isHad) && !isDue) return 'agenda';
  return (isCounted || /\bquem\b/.test(joined)) && has('atender') ? 'agenda' : undefined;
}

/** Expressions for money that came in. */
const RECEIVED =
  /\b(recebi|pagou|pagaram|pagamento|entrada|entrou|recebimento|receita|caiu|ganhei|transferiu|depositou|pingou)\b|\bme (deu|mandou|passou|enviou)\b|\b(fez|mandou|passou|enviou) (um |o )?(pix|deposito|dinheiro)\b|\bacabou de (me )?(pagar|passar|mandar|transferir|depositar)\b|^(um )?pix d[aeo]\b/;

function act(asked: Asked): Intent | undefined {
  const { has, texts, joined, valor, mood, isQuestion, isExpense, isAdded } = asked;
  if (isQuestion || mood === 'denied') return undefined;
  const first = texts.find(
    (text) => !['por', 'favor', 'oi', 'ola', 'quero', 'pode', 'preciso', 'voce'].includes(text),
  );
  const orders = first !== undefined && conceptsOf(first);
  if (orders && (orders.has('agendar') || (orders.has('marcar') && has('aula')))) return 'agendar';
  const isPut = orders && (orders.has('marcar') || orders.has('registrar')) && valor === undefined;
  if (isPut && !has('pagar', 'despesa') && SOME_DAYS.test(joined)) return 'agendar';
  const isTimed = /\b\d{1,2} ?(h|hs|horas?)\b|\bas \d{1,2}\b/.test(joined);
  if (has('agendar', 'marcar') && isTimed && SOME_DAYS.test(joined)) return 'agendar';
  if (
    /\bagendar\b/.test(joined) &&
    /\b(amanha|hoje|dia|segunda|terca|quarta|quinta|sexta|sabado|domingo)\b/.test(joined)
  )
    return 'agendar';
  const settles =
    /\b(dar|da|de|dei) baixa\b|\bmar(ca|que)\w*\b.*\b(pag[oa]|pagou|quitad[oa])\b|\bquit(ar|ou|aram)\b/.test(
      joined,
    );
  if (settles && !mood && !has('despesa')) return 'pagar';
  // "o João pagou ontem"
  const hasPaid = asked.isNamed && asked.isDated && !mood && /\b(pagou|acertou)\b/.test(joined);
  if (hasPaid && valor === undefined) return 'pagar';
  if (orders && orders.has('cobrar') && !/\bcobrancas\b/.test(joined)) return 'cobrar';
  if (orders && orders.has('gerar') && /\b(cobranca|boleto|pix)\b/.test(joined)) return 'cobrar';
  if (/\b(quero|preciso|pode) cobrar\b/.test(joined)) return 'cobrar';
  if (valor === undefined || mood) return undefined;
  const arrived = RECEIVED.test(joined) || (has('pagar') && !has('paguei'));
  if ((has('despesa', 'paguei') || (isExpense && !arrived)) && !/\b(pagou|recebi)\b/.test(joined))
    return 'despesa';
  return isAdded || has('registrar') || RECEIVED.test(joined) ? 'receita' : undefined;
}

/** Whether a message is about an amount that was, or was not, paid or spent; but it may be no plain statement. */
export const isClaim = ({ has, joined, valor, isQuestion }: Asked): boolean =>
  !isQuestion && valor !== undefined && (has('pagar', 'paguei', 'despesa') || RECEIVED.test(joined));

function comparison({ has, joined, periods }: Asked): Intent | undefined {
  if (periods >= 2 && /\b(e|com|ou|que|para)\b/.test(joined) && has('comparar', 'melhor', 'pior'))
    return 'comparar';
  if (has('comparar') && !has('dever')) return 'comparar';
  if (periods >= 2 && /\bx\b/.test(joined)) return 'comparar';
  if (periods >= 2 && /\b(mais|menos)\b.*\bou\b/.test(joined)) return 'comparar';
  if (/\b(mais|menos|melhor|pior) (do )?que\b/.test(joined) && periods >= 1) return 'comparar';
  if (/\b(relacao ao?|em relacao)\b/.test(joined)) return 'comparar';
  return undefined;
}

/** "deve" as an expectation, as in "Dezembro deve dar quanto?", not as a debt. */
const EXPECTS =
  /\b(devem?|deveria|vai|vao) (dar|render|entrar|cair|faturar|fazer|ficar|ser)\b|\bfalta(m|ndo)? (eu )?(entrar|cair|receber|ganhar)\b/;

/** "quem faltou mais?", "quantas faltas a Ana teve?", unlike "quem faltou pagar?" and "faltou quanto?" */
const isAbsence = ({ has, joined, isNamed, isQuestion }: Asked): boolean =>
  has('faltar') &&
  !has('pagar', 'receber', 'dar', 'meta', 'dever', 'credito', 'cobrar') &&
  !/\bquanto\b/.test(joined) &&
  (has('quem', 'aluno') || (isQuestion && isNamed) || /\bquantas faltas\b/.test(joined));

function aboutPeople(asked: Asked): Intent | undefined {
  const { has, joined, isQuestion, isNamed, periods } = asked;
  if (isAbsence(asked)) return 'faltas';
  const owedLessons =
    has('aula') &&
    (/\b(devo|devidas|devida|devendo)\b/.test(joined) ||
      (has('dar') && !has('acabar')) ||
      /\bpagas? e nao\b|\bja pag[oa]s?\b|\bpagas\b/.test(joined));
  if (owedLessons && !/\bquem\b.*\bdevendo\b/.test(joined)) return 'aulas_devidas';
  if (
    has('credito') &&
    /\b(todos|total|soma|somados|circulacao|ao todo|em aberto|abertos)\b/.test(joined) &&
    !has('acabar')
  )
    return 'aulas_devidas';
  if (
    has('sumir') ||
    (/\b(nao|parou|pararam|deixou|deixaram)\b/.test(joined) && has('vir') && !has('credito'))
  )
    return 'sumindo';
  if ((has('aluno') || /\bquem\b/.test(joined)) && /\bfalta(m|ndo)? (muito|demais|direto)\b/.test(joined))
    return 'sumindo';
  if (/\bperdendo\b/.test(joined) && has('aluno')) return 'sumindo';
  if (isOwnBalance(joined, isNamed, periods)) return undefined;
  if (has('credito') || (has('acabar') && has('aula')) || /\b(quem|alunos?|plano)\b.*\brenov/.test(joined))
    return 'creditos';
  if (/\bsem aulas?\b/.test(joined)) return 'creditos';
  const isLeft =
    /\b(esta|estao) com (so )?(quantas|\d+|uma|duas|poucas)\b|\bainda (tem|possui)\b|\b(tem|possui) ainda\b|\b(rest|sobr)(a|am|ou|aram|ando)\b/.test(
      joined,
    );
  const isTheirs = isNamed && /\bquantas\b/.test(joined) && periods === 0 && !SOME_DAYS.test(joined);
  if (isQuestion && has('aula') && (isLeft || isTheirs)) return 'creditos';
  if (/\bdevo guardar|devo separar|devo reservar|devo receber|devo retirar|devo tirar\b/.test(joined))
    return undefined;
  if (EXPECTS.test(joined)) return undefined;
  // "quais cobranças vencem essa semana?": what is due on these days.
  const isDue = /\b(vence|vencem|vencendo|vencimentos?)\b/.test(joined) && !has('credito');
  if (isDue && !isNamed && periods > 0) return 'previsto';
  // "quanto vou receber da Ana?", "quanto o João vai pagar?": what is open.
  if (isNamed && (/\bvai (me )?pagar\b/.test(joined) || (has('vou') && /\breceber\b/.test(joined))))
    return 'devedores';
  if (/\bmenos de (\d+|um|uma|dois|duas) (dia|semana|mes)/.test(joined)) return undefined;
  if (has('dever') && !has('guardar', 'imposto')) return 'devedores';
  if (/\bquem\b.*\bvermelho\b/.test(joined)) return 'devedores';
  if (/\bna rua\b/.test(joined) && has('quanto', 'receber', 'dinheiro')) return 'devedores';
  if (/\bem dia\b/.test(joined) && (isNamed || has('quem'))) return 'devedores';
  const isSettled = /\bem dia\b|\b(pagou|quitou|acertou)\b/.test(joined);
  if (isQuestion && isSettled && periods === 0 && !has('quanto', 'quem')) return 'devedores';
  if (NOT_PAID.test(joined)) return 'devedores';
  if (
    /\bquem\b.*\bnao (me )?pag[ao]\b/.test(joined) ||
    /\b(quanto|o que) (eu )?(ainda )?nao recebi\b/.test(joined) ||
    (isNamed && /\bnao recebi\b/.test(joined))
  )
    return 'devedores';
  if (/\bfalta(m|ndo)? (me )?pagar\b/.test(joined) || /\b(falta|faltam|quem) .*\bpagar\b/.test(joined))
    return 'devedores';
  if (isQuestion && /\bquem\b.*\b(cobrar|cobro)\b/.test(joined)) return 'devedores';
  if (/\b(lista|quais)\b.*\bcobrancas?\b|\bcobrancas (abertas|em)\b/.test(joined)) return 'devedores';
  return undefined;
}

const NOT_PAID =
  /\b(nao|num|nunca|jamais|nem)( (me|te|nos|ainda|ja))* (pagou|pagaram|pagam|acertou|acertaram|quitou|quitaram|deu|depositou|transferiu|mandou)\b|\b(pagou|deu) (nada|zero|uma ova)\b/;

/** The trainer's own "saldo", which is money; a student's is in credits. */
const isOwnBalance = (joined: string, isNamed: boolean, periods: number): boolean =>
  /\bsaldo\b/.test(joined) &&
  !isNamed &&
  (periods > 0 || /\bmeu saldo\b|\bsaldo (na|da|em) (minha )?conta\b|\bcaixa\b|\bbanco\b/.test(joined));

function aboutMoney(asked: Asked): Intent | undefined {
  const { has, joined, texts, periods } = asked;
  const isMonth = /\b(mes|meses)\b/.test(joined);
  if (/\bmes (em )?que\b.*\bmais\b/.test(joined)) return 'melhor_mes';
  if (/\bmes (em )?que\b.*\bmenos\b/.test(joined)) return 'pior_mes';
  if (has('melhor') && (isMonth || /\brecorde\b/.test(joined)) && !has('meta')) return 'melhor_mes';
  if (has('pior') && isMonth) return 'pior_mes';
  if (
    isMonth &&
    /\bem (que|qual) mes\b|\b(que|qual) (foi )?(o )?mes\b/.test(joined) &&
    /\bmais\b/.test(joined)
  )
    return 'melhor_mes';
  if (isMonth && /\b(que|qual) (foi )?(o )?mes\b/.test(joined) && /\bmenos\b/.test(joined)) return 'pior_mes';
  if (has('meta')) return 'meta';
  if (isTaxPaid(asked)) return 'despesas';
  if (has('imposto') && !has('despesa')) return 'divisao';
  if (has('operacional', 'retirada') || /\blabore\b/.test(joined)) return 'divisao';
  if (has('guardar')) return 'guardar';
  if (
    /\bticket|tiquete\b/.test(joined) ||
    (/\bmedi[oa]\b/.test(joined) && has('aluno', 'recebi', 'pagar', 'quanto', 'preco'))
  )
    return 'ticket';
  if ((has('previsto') && !has('aula')) || EXPECTS.test(joined)) return 'previsto';
  if (has('recebi') && has('despesa', 'paguei') && /\b(recebi|ganhei|entrou|faturei) e\b/.test(joined))
    return 'lucro';
  if (has('lucro') || (periods > 0 && isOwnBalance(joined, asked.isNamed, periods))) return 'lucro';
  if (/\bpara mim\b/.test(joined) && has('quanto') && !/\b(rendeu|entrou|caiu)\b/.test(joined))
    return 'divisao';
  if (
    periods === 0 &&
    /\b(a|para|falta) receber\b/.test(joined) &&
    !/\b(vou|vai|vamos|devo|irei)\b/.test(joined)
  )
    return 'a_receber';
  const isAhead = /\b(proximo mes|mes que vem|ano que vem)\b/.test(joined);
  if (
    /\b(a|vou|vai|vamos|devo|tenho|irei|para) (a |para )?(receber|entrar|ganhar|faturar|cair|fazer)\b/.test(
      joined,
    )
  )
    return 'previsto';
  if (isAhead && has('receber', 'recebi')) return 'previsto';
  if (has('despesa', 'paguei') && !/\bminhas contas\b/.test(joined)) return 'despesas';
  if (has('recebi')) return 'recebido';
  if (periods > 0 && /\bquanto (foi|deu|veio)\b|\b(foi|deu|veio) quanto\b|^som(a|ar|e)\b/.test(joined))
    return asked.isExpense ? 'despesas' : 'recebido';
  if (has('receber') && (has('quanto') || periods > 0)) return 'recebido';
  if (has('pagar') && (has('quanto', 'quem') || periods > 0)) return 'recebido';
  if (has('dinheiro') && has('quanto')) return 'recebido';
  return texts.length > 0 &&
    /\b(como (esta|foi|anda|vai|ta|estou|fui)|resumo|resultado|numeros|balanco|fechamento|desempenho)\b/.test(
      joined,
    ) &&
    (isMonth || periods > 0 || /\bnegocio|financ/.test(joined))
    ? 'lucro'
    : undefined;
}

function talk({ has, joined, texts, isQuestion }: Asked): Intent | undefined {
  if (has('obrigado') && texts.length <= 5 && !isQuestion) return 'obrigado';
  if (
    /\b(ajuda|ajudar|socorro)\b/.test(joined) ||
    /\bvoce (faz|sabe|consegue|pode|responde)\b|\bcomo (voce |isso )?funciona\b/.test(joined)
  )
    return 'ajuda';
  return /^(oi+|ola|oie|opa|eai|e ai|bom dia|boa tarde|boa noite)\b/.test(joined) && texts.length <= 4
    ? 'ajuda'
    : undefined;
}

const OVERDUE = /\b(mais de|acima de|ha|faz|a) (\d{1,3}|[a-z]+) (dias?|semanas?|mes|meses)\b/g;

/** The days in "atrasado há mais de um mês", "devendo há 15 dias". */
export function overdueIn(joined: string): number | undefined {
  for (const [, what, count, unit] of joined.matchAll(OVERDUE)) {
    const number = NUMBERS.get(count!) ?? Number(count);
    const days = number * (unit!.startsWith('dia') ? 1 : unit!.startsWith('semana') ? 7 : 30);
    if (days > 0) return /^(mais|acima)/.test(what!) ? days + 1 : days;
  }
  return undefined;
}

/** Taxes that were paid, which are expenses; those to be paid are a share of what came in. */
const isTaxPaid = ({ has, joined }: Asked): boolean =>
  has('imposto') &&
  (has('paguei') ||
    /\b(gastei|gastamos|gasto|pagamos)\b|\b(impostos?|foi|foram) (ja )?pagos?\b/.test(joined));

/** "quem já pagou?", "quais alunos pagaram em outubro?" */
export const isWho = ({ has, joined }: Asked): boolean =>
  has('pagar') &&
  /\bquem\b|\bquant[oa]s\b.*\bpagaram\b|\b(quais|que) (os )?(meus )?(alun[oa]s|clientes)\b/.test(joined);

export function partOf({ has }: Asked): AllocationKind | undefined {
  if (has('imposto')) return 'imposto';
  if (has('operacional')) return 'operacional';
  return has('retirada') ? 'retirada' : undefined;
}

export type Method = 'pix' | 'cartao_credito' | 'dinheiro';

export function methodIn(joined: string): Method {
  if (/\b(cartao|credito|debito|maquininha)\b/.test(joined)) return 'cartao_credito';
  return /\b(dinheiro|especie)\b/.test(joined) ? 'dinheiro' : 'pix';
}
