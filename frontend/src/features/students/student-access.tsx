import { Button } from '@mantine/core';
import type { StudentAccess as Access } from '../../../../backend/modules/accounts/invites.api.js';
import type { Student } from '../../../../backend/modules/students/students.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { useSendTo } from '../../lib/command.js';
import { dayOf, formatDate, formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import { InviteLink } from './invite-link.js';
import { useStudentAccess, useInviteLink } from './invites.queries.js';
import classes from './students.module.css';

/** The student's account, or invites and the area link. */
export function StudentAccess({ student }: { student: Student }) {
  const access = useStudentAccess(student.id);
  return (
    <Section title="Acesso do aluno">
      <Card>
        <Async of={access} skeleton={<Skeletons count={1} height={96} />}>
          {({ convite, conta, area }) =>
            conta ? (
              <Account student={student} nome={conta.nome} desde={conta.desde} />
            ) : (
              <div className={classes.kinds}>
                {convite ? <Invited student={student} invite={convite} /> : <NotInvited student={student} />}
                <AreaLink student={student} area={area} />
              </div>
            )
          }
        </Async>
      </Card>
    </Section>
  );
}

function Invited({
  student,
  invite: { inviteUrl, expires_at },
}: {
  student: Student;
  invite: NonNullable<Access['convite']>;
}) {
  const { mutateAsync: cancel, isPending } = useSendTo('DELETE /students/:id/invites');
  const zone = useZone();
  return (
    <div className={classes.access}>
      <Quiet>Convite pendente, uso único. Válido até {formatMoment(expires_at, zone)}.</Quiet>
      <InviteLink student={student} url={inviteUrl} />
      <Button
        size="sm"
        variant="subtle"
        loading={isPending}
        onClick={() => void attempt(() => cancel(student.id), 'Erro ao cancelar o convite')}
      >
        Cancelar convite
      </Button>
    </div>
  );
}

function NotInvited({ student }: { student: Student }) {
  const { invite, busy } = useInviteLink();
  const create = async () => {
    if ((await invite(student.id)) !== null) toast.success('Link criado!');
  };
  return (
    <div className={classes.access}>
      <Quiet>
        Com o convite, {firstName(student.nome)} cria a própria conta. O link é válido por 7 dias, uso único.
      </Quiet>
      <Button
        variant="light"
        loading={busy}
        disabled={student.arquivado}
        onClick={() => void create()}
        leftSection={<Icon name="link" size={18} />}
      >
        Gerar Link de Convite
      </Button>
    </div>
  );
}

function Account({ student, nome, desde }: { student: Student; nome: string; desde: string }) {
  const { mutateAsync: end, isPending } = useSendTo('DELETE /students/:id/access');
  const zone = useZone();
  const endAccess = () =>
    attempt(async () => {
      await end(student.id);
      toast.success('Acesso encerrado', { description: 'Para voltar, o aluno precisa de um novo convite.' });
    }, 'Erro ao encerrar o acesso');

  return (
    <div className={classes.access}>
      <div className={classes.account}>
        <Row
          title={nome}
          facts={`Conta conectada desde ${formatDate(dayOf(desde, zone))}`}
          trail={<Tag icon="check">Com acesso</Tag>}
        />
      </div>
      <Button size="sm" variant="subtle" color="red" loading={isPending} onClick={() => void endAccess()}>
        Encerrar acesso
      </Button>
    </div>
  );
}

/** The area link of a student without an account. */
function AreaLink({ student, area }: { student: Student; area: Access['area'] }) {
  const opening = useSendTo('POST /students/:id/area-link');
  const ending = useSendTo('DELETE /students/:id/area-link');
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
        <Quiet>
          Sem conta, {firstName(student.nome)} pode ver sessões, créditos e pagamentos por um link, confirmar
          presença e enviar pedidos. O link tem validade de 90 dias.
        </Quiet>
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
      <Quiet>Link da área do aluno, sem conta. Válido até {formatDate(dayOf(area.expires_at, zone))}.</Quiet>
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
