import type { SendingPreview } from '../../../../backend/modules/contracts/contracts.api.js';
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
