import type { SendingPreview, Sent } from '../../../../backend/modules/contracts/contracts.api.js';
import { type MergeField, mergeFields } from '../../../../backend/modules/contracts/merge-fields.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';

/** Whom the sending sheet names, and how they sign. */
export function guardiansInWords(
  { menores, total_menores, sem_nascimento }: SendingPreview,
  isOfOne: boolean,
): string[] {
  const named = menores.map(({ nome, papel, responsavel }) => {
    const who = responsavel === null ? 'o responsável' : `o responsável (${responsavel})`;
    return papel === 'representa'
      ? `${nome} tem menos de 16 anos: quem assina é ${who}.`
      : `${nome} tem menos de 18 anos: ${who} assina junto.`;
  });
  const others = total_menores - menores.length;
  return [
    ...named,
    ...(others > 0
      ? [`Mais ${plural(others, 'aluno tem', 'alunos têm')} menos de 18 anos: o responsável assina.`]
      : []),
    ...(sem_nascimento > 0
      ? [
          isOfOne
            ? 'Sem data de nascimento no cadastro: se for menor de 18 anos, informe a data antes de enviar.'
            : `${plural(sem_nascimento, 'aluno', 'alunos')} sem data de nascimento no cadastro: se houver menor de 18 anos, informe a data antes de enviar.`,
        ]
      : []),
  ];
}

/** The fields that say who the trainer is. */
const OF_TRAINER: readonly MergeField[] = ['documento', 'cref'];

/** Whether the trainer can fill in what the text will not say. */
export const lacksTrainer = ({ faltam }: SendingPreview): boolean =>
  faltam.some(({ campo }) => OF_TRAINER.includes(campo));

/** The values that the text will not have. */
export const missingInWords = ({ faltam }: SendingPreview, isOfOne: boolean): string[] =>
  faltam.map(({ campo, alunos }) => {
    const whom = isOfOne || OF_TRAINER.includes(campo) ? '' : ` para ${plural(alunos, 'aluno', 'alunos')}`;
    return `${mergeFields[campo]}: vai sair “não informado”${whom}.`;
  });

/** The result of a sending. `isSent`: whether anybody got it. */
export function sentInWords({ enviados, ja_assinados, sem_email, retidos, retido_por }: Omit<Sent, 'id'>): {
  title: string;
  description: string | undefined;
  isSent: boolean;
} {
  const unmailed = sem_email + retidos;
  const mailed = enviados - unmailed;
  const left = [
    sem_email > 0 && `${sem_email} sem e-mail`,
    retidos > 0 && `${plural(retidos, 'e-mail não enviado', 'e-mails não enviados')}`,
  ]
    .filter((each) => each !== false)
    .join(' · ');
  const title =
    enviados === 0
      ? 'Todos já assinaram'
      : unmailed === 0
        ? `Enviado para ${plural(enviados, 'aluno', 'alunos')}`
        : mailed === 0
          ? `Nenhum e-mail enviado: ${left}`
          : `${plural(mailed, 'enviado', 'enviados')} · ${left}`;
  const notes = [
    sem_email > 0 && 'A quem não tem e-mail, envie pelo WhatsApp: o link está em Assinaturas.',
    retidos === 1 && `${retido_por} O link está em Assinaturas.`,
    retidos > 1 &&
      'O e-mail já foi enviado há menos de 1 hora, o limite do dia foi atingido, ou a pessoa não quer recebê-los: mande pelo WhatsApp, o link está em Assinaturas.',
    enviados > 0 && ja_assinados > 0 && `${plural(ja_assinados, 'já assinou', 'já assinaram')}.`,
  ].filter((note) => note !== false);
  return { title, description: notes.join(' ') || undefined, isSent: mailed > 0 };
}
