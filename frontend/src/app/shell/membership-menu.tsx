import { Button, Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Icon } from '../../ui/icon.js';
import { useSignedIn } from '../../lib/me.js';
import { titleOf, useMembershipChoice } from '../use-membership-choice.js';

/** For a user with several memberships: the current one, and a menu to switch. */
export default function MembershipMenu() {
  const { memberships, membership } = useSignedIn();
  const choose = useMembershipChoice();
  return (
    <Menu position="bottom-end" radius="md" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          aria-label={`Trocar de conta: ${titleOf(membership)}`}
          rightSection={<Icon name="down" size={18} />}
        >
          {titleOf(membership)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {memberships.map((each) => (
          <Menu.Item
            key={each.tenant_id}
            aria-current={each.tenant_id === membership.tenant_id || undefined}
            onClick={() => choose(each)}
            rightSection={each.tenant_id === membership.tenant_id && <Icon name="check" size={18} />}
          >
            {titleOf(each)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
