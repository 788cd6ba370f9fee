"""What may happen next: who is asked, what is refused, when it ends. Pure, without input, output or clock."""
