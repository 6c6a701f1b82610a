import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import classes from './general-terms.module.css';

/** When these texts change, raise TERMS_VERSION and set this date. */
export const LAST_UPDATE = 'janeiro de 2025';
const terms: readonly { title: string; paragraphs: readonly string[] }[] = [
  {
    title: 'Termos de uso',
    paragraphs: [
      'O Rende é o aplicativo em que personal trainers organizam agenda, alunos, créditos, contratos e dinheiro. Ao usar o Rende, você concorda com estes termos.',
      'Você responde pelo que cadastra, mantém sua senha em segredo e usa o Rende de acordo com a lei e com as regras da sua profissão.',
      'A qualquer momento você pode exportar uma cópia dos seus dados ou excluir a conta em Ajustes, Seus dados.',
    ],
  },
  {
    title: 'Privacidade (LGPD)',
    paragraphs: [
      'Tratamos os seus dados de cadastro e os dados que você registra sobre seus alunos apenas para que o Rende funcione. Não vendemos dados e não mostramos anúncios.',
      'Pela Lei nº 13.709/2018, você é o controlador dos dados dos seus alunos e o Rende é o operador. Registre só o necessário e conte aos alunos como os dados são usados.',
      'Nomes, telefones, CPF e textos sobre pessoas são guardados com criptografia. Se um aluno pedir, apague os dados na página do aluno. O que a lei obriga a manter, como recibos e contratos assinados, é mantido só até o fim do prazo legal.',
      'Você e seus alunos podem pedir acesso, correção, cópia e exclusão dos próprios dados.',
    ],
  },
  {
    title: 'Cancelamento e remarcação',
    paragraphs: [
      'Cada local tem a própria política de cancelamento: prazo, taxa e desconto de crédito. Para cada sessão, a política é a que estava em vigor quando a sessão foi agendada.',
      'Antes de desmarcar ou remarcar, o aluno vê o que será descontado ou cobrado. Fora do prazo, ele envia um pedido e você decide.',
      'Com menos de 12 horas de antecedência, o cancelamento pode custar 1 crédito ou uma taxa, conforme a política do local.',
      'A tolerância para atrasos é de até 10 minutos. Com mais de 15 minutos de atraso, a sessão pode ser cancelada.',
    ],
  },
  {
    title: 'Pagamento e devolução',
    paragraphs: [
      'O Rende registra cobranças e pagamentos, mas não recebe nem guarda dinheiro: o aluno paga direto a você, por exemplo na sua chave Pix.',
      'Mensalidades são cobradas no dia 1 de cada mês. Mudar ou cancelar uma vale a partir do próximo ciclo.',
      'Devoluções são combinadas entre você e o aluno. No Rende, você registra o valor devolvido e os créditos que saem, e o histórico mostra cada passo.',
      'O serviço contratado a distância pode ser cancelado em até 7 dias, como diz o art. 49 do Código de Defesa do Consumidor.',
    ],
  },
  {
    title: 'Responsabilidades',
    paragraphs: [
      'O atendimento é seu: avaliação, prescrição e acompanhamento dos treinos e o registro no CREF são responsabilidade do profissional. O aluno informa o próprio estado de saúde e respeita os horários combinados.',
      'Fazemos o possível para que o Rende esteja sempre disponível. Sem internet, o que você registra fica guardado no aparelho até poder ser enviado.',
      'Avisamos sobre mudanças nestas políticas com 30 dias de antecedência e pedimos a sua concordância de novo. As anteriores continuam no histórico.',
    ],
  },
];

export function TermsText() {
  return terms.map(({ title, paragraphs }) => (
    <Section key={title} title={title}>
      <Card className={classes.text}>
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </Card>
    </Section>
  ));
}
