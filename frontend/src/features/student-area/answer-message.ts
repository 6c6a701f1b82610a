import type { SessionRequest } from '../../../../backend/modules/student-area/student-area.api.js';
import { momentOf, type Now } from '../../parts/booked-message.js';

type Asked = Pick<SessionRequest, 'inicio' | 'novo_inicio'>;

/** Tells a student what became of a request. `mensagem`: of a refusal. */
export function answerMessage(
  { inicio, novo_inicio }: Asked,
  answer: 'aceito' | { mensagem: string },
  firstName: string,
  now: Now,
): string {
  const oi = `Oi, ${firstName}!`;
  const lesson = `sua aula de ${momentOf(inicio, now)}`;
  if (answer === 'aceito')
    return novo_inicio === null
      ? `${oi} Como você pediu, desmarquei ${lesson}.`
      : `${oi} Como você pediu, mudei ${lesson}, para ${momentOf(novo_inicio, now)}. Até lá!`;
  const what = novo_inicio === null ? 'desmarcar' : 'mudar';
  return [`${oi} Não consegui ${what} ${lesson}: ela continua agendada.`, answer.mensagem]
    .filter(Boolean)
    .join(' ');
}
