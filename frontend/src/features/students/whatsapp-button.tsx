import { Button } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import { useStudent } from './students.queries.js';

interface WhatsAppButtonProps {
  studentId: string;
  text: (firstName: string) => string;
}

/** Opens WhatsApp with a prepared text; renders nothing without a number. */
export function WhatsAppButton({ studentId, text }: WhatsAppButtonProps) {
  const { data } = useStudent(studentId);
  const phone = data && (data.whatsapp ?? data.telefone);
  if (!phone) return null;
  const query = new URLSearchParams({ text: text(data.nome.split(' ')[0] ?? data.nome) });
  return (
    <Button
      component="a"
      href={`https://wa.me/${phone.replace(/\D/g, '')}?${query.toString().replaceAll('+', '%20')}`}
      target="_blank"
      rel="noreferrer"
      size="sm"
      variant="subtle"
      color="gray"
      leftSection={<Icon name="chat" size={18} />}
    >
      WhatsApp
    </Button>
  );
}
