import { Button } from '@mantine/core';
import type { StudentAccess } from '../../../../backend/modules/accounts/invites.api.js';
import type { Student } from '../../../../backend/modules/students/students.api.js';
import { dayOf, formatDate } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { attempt, toast } from '../../ui/toast.js';
import { InviteLink } from './invite-link.js';
import { useEndAreaLink, useOpenAreaLink } from './invites.queries.js';
import classes from './students.module.css';

/** The area link of a student without an account. */
export function AreaLink({ student, area }: { student: Student; area: StudentAccess['area'] }) {
  const opening = useOpenAreaLink();
  const ending = useEndAreaLink();
  const zone = useZone();
  const open = () =>
    attempt(async () => {
      await opening.mutateAsync(student.id);
      toast.success('Link criado!');
    }, 'Erro ao gerar o link');
  const end = () =>
    attempt(async () => {
      await ending.mutateAsync(student.id);
      toast.success('Link desativado');
    }, 'Erro ao desativar o link');

  if (area === null)
    return (
      <div className={classes.access}>
        <p className={classes.accessText}>
          Sem conta, {student.nome.split(' ')[0]} pode ver sessões, créditos e pagamentos por um link,
          confirmar presença e enviar pedidos. O link tem validade de 90 dias.
        </p>
        <Button
          variant="default"
          loading={opening.isPending}
          disabled={student.arquivado}
          onClick={() => void open()}
          leftSection={<Icon name="link" size={18} />}
        >
          Gerar link da área do aluno
        </Button>
      </div>
    );
  return (
    <div className={classes.access}>
      <p className={classes.accessText}>
        Link da área do aluno, sem conta. Válido até {formatDate(dayOf(area.expires_at, zone))}.
      </p>
      <InviteLink
        student={student}
        url={area.url}
        why="Aqui você vê suas aulas, créditos e pagamentos"
        opened="Link aberto no WhatsApp!"
      />
      <Button size="sm" variant="subtle" color="red" loading={ending.isPending} onClick={() => void end()}>
        Desativar link
      </Button>
    </div>
  );
}
