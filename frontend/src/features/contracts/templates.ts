import type { ContractKind } from '../../../../backend/modules/contracts/contracts.api.js';

interface Template {
  titulo: string;
  tipo: ContractKind;
  conteudo: string;
}

/** Sample texts that the trainer edits before sending. */
export const templates: readonly Template[] = [
  {
    titulo: 'Contrato de prestação de serviço',
    tipo: 'termo_personal',
    conteudo: `<h2>1. Partes</h2>
<p>Contratante: {{aluno}}, CPF {{cpf}}. Contratado: {{personal}}, CPF ou CNPJ {{documento}}, CREF {{cref}}.</p>
<h2>2. Serviço</h2>
<p>Treinamento físico individual, planejado e acompanhado pelo contratado, no local {{local}} ou em outro combinado entre as partes.</p>
<h2>3. Plano e pagamento</h2>
<ul><li><p>Plano: {{plano}}</p></li><li><p>Valor: {{valor}}</p></li><li><p>Validade dos créditos: {{validade}}</p></li></ul>
<p>O pagamento é feito até o vencimento de cada cobrança. Multa, juros e desconto: {{encargos}}. Em caso de atraso, novas sessões podem ser suspensas até a quitação.</p>
<h2>4. Cancelamento e remarcação</h2>
<p>Política do local: {{politica}}. Cada sessão tem horário para começar e terminar; o atraso do aluno não prolonga a sessão. Se o contratado desmarcar, a sessão é remarcada ou o crédito é devolvido.</p>
<h2>5. Compromissos</h2>
<ul><li><p>O aluno informa condições de saúde, dores e medicamentos, e avisa quando algo mudar.</p></li><li><p>O contratado planeja os treinos conforme essas informações e mantém os dados em sigilo.</p></li></ul>
<h2>6. Desistência e rescisão</h2>
<p>Contratado à distância, o aluno pode desistir em até 7 dias da assinatura, com devolução do que pagou (CDC, art. 49). Depois disso, qualquer parte encerra o contrato com aviso de 30 dias; os créditos pagos, ainda válidos e não usados são realizados ou devolvidos.</p>
<h2>7. Dados pessoais</h2>
<p>Os dados são usados somente para prestar o serviço e cumprir a lei (LGPD, Lei nº 13.709/2018).</p>
<p>{{data}}</p>`,
  },
  {
    titulo: 'Termo de responsabilidade e saúde',
    tipo: 'termo_aluno',
    conteudo: `<p>Eu, {{aluno}}, CPF {{cpf}}, declaro que:</p>
<ol><li><p>Informei ao personal todas as condições de saúde, lesões, cirurgias e medicamentos que conheço.</p></li><li><p>Estou apto(a) à prática de exercícios ou tenho liberação médica, que apresento quando for pedida.</p></li><li><p>Vou interromper o exercício e avisar o personal se sentir dor, tontura, falta de ar ou mal-estar.</p></li><li><p>Vou avisar se a minha saúde mudar, inclusive em caso de gravidez.</p></li><li><p>Entendo que todo exercício físico tem riscos, e que seguir as orientações do personal os diminui.</p></li></ol>
<p>Este termo não afasta a responsabilidade do personal pelo serviço que presta.</p>
<h2>Dados de saúde</h2>
<p>Autorizo o uso dos dados de saúde que informei somente para planejar os meus treinos (LGPD, art. 11). Posso pedir a exclusão deles a qualquer momento.</p>
<p>{{data}}</p>`,
  },
  {
    titulo: 'Autorização de uso de imagem',
    tipo: 'termo_aluno',
    conteudo: `<p>Eu, {{aluno}}, CPF {{cpf}}, autorizo o uso da minha imagem e da minha voz, em fotos e vídeos feitos durante os treinos, nas redes sociais e nos materiais de divulgação do personal.</p>
<ul><li><p>A autorização é gratuita e vale por 2 anos.</p></li><li><p>As imagens não são vendidas nem cedidas a terceiros, e não podem expor medidas, laudos ou condições de saúde.</p></li><li><p>Posso cancelar a autorização a qualquer momento, por mensagem. O personal remove as publicações em até 10 dias.</p></li><li><p>Recusar ou cancelar esta autorização não muda o atendimento nem o preço.</p></li></ul>
<p>{{data}}</p>`,
  },
];
