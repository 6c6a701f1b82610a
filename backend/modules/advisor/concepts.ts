import { timeWords } from './period.js';

/** Words by concept, in lower case without accents. A word may belong to several concepts. */
const concepts = {
  quanto: 'quanto quantos quantas quantia valor total soma',
  quem: 'quem quais qual alguem',
  aluno: 'aluno alunos aluna alunas cliente clientes pessoa pessoas galera turma povo pessoal',
  recebi:
    'recebi recebeu recebemos recebido recebidos recebida recebimento recebimentos entrou entraram entrada entradas ganhei ganho ganhos faturei faturou faturamos faturamento faturado caiu arrecadei arrecadado arrecadacao fechei fechamos levantei rendeu rendimento rendimentos receita receitas fiz embolsei tirei',
  receber: 'receber recebo entrar entra ganhar faturar cair fazer',
  previsto:
    'previsto previstos prevista previsao previsoes esperado esperada espero projecao projetado estimativa estimado expectativa',
  vou: 'vou vai vamos irei devo preciso tenho posso',
  dever:
    'devendo deve devem devedor devedores devedora divida dividas inadimplente inadimplentes inadimplencia atrasado atrasados atrasada atrasadas atraso atrasos atrasou atrasaram pendente pendentes pendencia pendencias vencido vencidos vencida vencidas vencidos calote caloteiro caloteiros calotes cano canos enrolado enrolada enrolados enrolando enrolar pendurado pendurados aberto abertas debito debitos fiado',
  pagar: 'pagou pagaram pagar pago paga pagamento pagamentos pagam quitou quitaram quitar acertou acertaram',
  despesa:
    'despesa despesas gasto gastos gastei gastamos gastar gastou gastando custo custos saida saidas saiu sairam contas',
  paguei: 'paguei comprei',
  lucro:
    'lucro lucros lucrei lucrar lucrou lucrando sobrou sobra sobrando sobram liquido limpo prejuizo preju vermelho azul',
  guardar:
    'guardar guardo guarde poupar poupo economizar reservar reserva reservas separar separo poupanca juntar guardado cofrinho',
  imposto: 'imposto impostos tributo tributos leao',
  operacional: 'operacional operacao',
  retirada: 'retirada retirar retiro prolabore salario sacar',
  melhor: 'melhor maior recorde melhores top forte',
  pior: 'pior menor fraco fraca ruim piores',
  meta: 'meta metas objetivo objetivos alvo aderencia',
  falta: 'falta faltam faltando faltou resta restam restando',
  ticket: 'ticket tiquete tickets medio media',
  sumir:
    'sumindo sumido sumidos sumida sumidas sumiu sumiram sumir some sumida largou largaram largando perdido perdidos desapareceu desapareceram desaparecido desaparecidos faltoso faltosos ausente ausentes abandonou abandonando abandonaram desistindo desistiu evasao inativos parados parado afastado afastados apareceu aparece aparecem apareceram',
  vir: 'vir vem veio vieram vindo parou pararam deixou deixaram treina treinam treinou treinar treinando',
  credito: 'credito creditos pacote pacotes saldo saldos',
  acabar:
    'acabando acabar acabou acabaram acabam terminando terminar pouco poucos pouca poucas baixo baixos zerado zerados renovar renovacao renovacoes vencendo vencer esgotando',
  sem: 'sem',
  aula: 'aula aulas sessao sessoes treino treinos hora horas',
  dar: 'dar dado dadas entregar entregue cumprir repor',
  comparar:
    'comparar compare compara comparacao comparado comparando comparativo versus vs contra diferenca cresci cresceu crescimento evolui evolucao aumentou',
  hipotese:
    'cobrasse pagasse pagassem aumentasse subisse reajustar reajuste reajustasse reajustando aumento passasse aumentando subindo',
  preco: 'preco precos aumentar subir caro cara mensalidade mensalidades valores',
  registrar:
    'registrar registre registra registro lancar lance lanca lancamento anotar anote anota adicionar adicione adiciona colocar coloca coloque botar bota bote por poe ponha',
  cobrar: 'cobrar cobre cobra cobranca cobrancas',
  gerar:
    'gerar gera gere criar cria crie emitir emite emita mandar manda mande fazer faz faca enviar envia envie nova',
  marcar: 'marcar marca marque baixa',
  agendar: 'agendar agenda agende agendamento encaixar encaixa encaixe',
  ocupacao:
    'cheio cheia cheios lotado lotada ocupado ocupada carga movimentado movimentada vazio vazia livre livres folga folgas folgado folgada vago vaga compromisso compromissos',
  atender: 'atendo atender atendi atendimento atendimentos',
  ajuda: 'ajuda ajudar socorro funciona oi ola oie opa eai bom boa tarde noite sabe consegue pode faz',
  obrigado: 'obrigado obrigada brigado brigada valeu beleza perfeito otimo show',
  dinheiro: 'dinheiro bufunfa',
} as const;

export type Concept = keyof typeof concepts;

const byWord = new Map<string, Set<Concept>>();
for (const [concept, words] of Object.entries(concepts) as [Concept, string][])
  for (const word of words.split(' ')) byWord.set(word, (byWord.get(word) ?? new Set()).add(concept));

export const conceptsOf = (word: string): ReadonlySet<Concept> => byWord.get(word) ?? new Set<Concept>();

/** Common words that are neither a concept nor a name. */
const PLAIN_WORDS =
  'partir vale antes depois apos atras apaga apagar exclui excluir deleta deletar cancela cancelar desmarca desmarcar remarca remarcar estorna estornar corrige corrigir vence vencem venceu venceram vencimento fim final resto restante algo sair metade bolo feira quer ganhou labore devida devidas plano planos conta a o as os um uma uns umas de do da dos das em no na nos nas por pelo pela com para ao aos que se e ou eu voce voces ele ela eles elas me meu minha meus minhas seu sua nao ja mais menos muito bem mal isso isto aquele ai la aqui so tambem como quando onde porque foi era eram fui sao ser sera seria estou esta estao estava tem tinha ter teve tive ate desde sobre entao agora mesmo ainda tudo todo toda todos todas cada outro outra outros nada algum alguma mostra mostrar mostre diga dizer fala falar ver veja saber quero queria gostaria favor porfavor obrigada preciso deu da dei vez vezes bruto lista listar negocio situacao caixa real reais pix cartao especie via ref referente feita feito cobrada cobrado cada dele dela deles delas media trabalho trabalhar consultoria personal estava estavam ficou fica ficaram semanas tempo dias mensal anual financeiro financeira financas consultor resumo numeros numero andam anda indo hein ne po cara mano gente afinal tipo acho acha seja fosse for tivesse cobro cobrei cobrou devia deveria deveriam alguns algumas existem existe ha houve perto longe atingir bater bati alcancar chegar chegou cheguei conseguir consegui bolso bolsos dele mim comigo te ti lhe nos nosso nossa vcs valores';

export const vocabulary: ReadonlySet<string> = new Set([
  ...byWord.keys(),
  ...timeWords,
  ...PLAIN_WORDS.split(' '),
]);
