import { Button } from '@mantine/core';
import type { Student } from '../../../../backend/modules/students/students.api.js';
import { ButtonRow } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';

/** Links to write to a student and to call. Renders nothing where there is no number. */
export function ContactLinks({ student }: { student: Student }) {
  const phone = student.whatsapp ?? student.telefone;
  if (!phone) return null;
  return (
    <ButtonRow>
      <Button
        component="a"
        href={`https://wa.me/${phone.replace(/\D/g, '')}`}
        target="_blank"
        rel="noreferrer"
        size="sm"
        variant="default"
        leftSection={<Icon name="chat" size={18} />}
      >
        WhatsApp
      </Button>
      <Button
        component="a"
        href={`tel:${phone}`}
        size="sm"
        variant="default"
        leftSection={<Icon name="phone" size={18} />}
      >
        Ligar
      </Button>
    </ButtonRow>
  );
}
