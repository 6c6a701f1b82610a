import { Menu } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { LOW_BALANCE, type Student } from '../../../../backend/modules/students/students.api.js';
import { Icon } from '../../ui/icon.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';
import classes from './student-row.module.css';
import { useInviteLink } from './invites.queries.js';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import { useStandingActions } from './use-standing-actions.js';

interface StudentMenuItemsProps {
  student: Student;
  renewItem: ReactNode;
  /** Opens what restores the student, which outlives the menu. */
  onRestore: () => void;
}

/** A student's menu: main data, and actions. */
export function StudentMenuItems({ student, renewItem, onRestore }: StudentMenuItemsProps) {
  const { archive, remove } = useStandingActions(student);
  const { inviteAndCopy } = useInviteLink();
  const { online } = useNetwork();
  const phone = student.whatsapp ?? student.telefone;
  const none = online ? 'Sem contato' : 'Contato não guardado neste aparelho';
  const plan = student.plano ? `&plano=${student.plano.id}` : '';
  return (
    <>
      <div className={classes.about}>
        <span>{phone ? formatPhone(phone) : (student.email ?? none)}</span>
        <span>Plano: {student.plano?.nome ?? 'Sem plano'}</span>
        {student.observacoes && <span className={classes.notes}>{student.observacoes}</span>}
        {!student.arquivado && student.creditos <= LOW_BALANCE && (
          <span className={classes.warning}>Saldo baixo - Sugerir renovação do plano</span>
        )}
      </div>
      {renewItem}
      <Menu.Item
        component={Link}
        to={`/alunos/edit/${student.id}`}
        leftSection={<Icon name="edit" size={18} />}
      >
        Editar
      </Menu.Item>
      {phone && (
        <Menu.Item
          component="a"
          href={whatsAppAddress(phone)}
          target="_blank"
          rel="noreferrer"
          leftSection={<Icon name="chat" size={18} />}
        >
          WhatsApp
        </Menu.Item>
      )}
      {student.arquivado ? (
        <Menu.Item onClick={onRestore} leftSection={<Icon name="undo" size={18} />}>
          Reativar
        </Menu.Item>
      ) : (
        <>
          <Menu.Item
            component={Link}
            to={`/cobrancas?novo=cobranca&aluno=${student.id}${plan}`}
            leftSection={<Icon name="wallet" size={18} />}
          >
            Cobrar
          </Menu.Item>
          <Menu.Item onClick={() => void inviteAndCopy(student)} leftSection={<Icon name="link" size={18} />}>
            Gerar Link de Convite
          </Menu.Item>
          <Menu.Item onClick={archive} leftSection={<Icon name="archive" size={18} />}>
            Inativar
          </Menu.Item>
        </>
      )}
      <Menu.Item c="var(--rende-bad)" onClick={remove} leftSection={<Icon name="trash" size={18} />}>
        Excluir
      </Menu.Item>
    </>
  );
}
