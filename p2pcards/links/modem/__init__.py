"""The telephone line: a modem or a null-modem cable on a serial port, with retransmission above it."""
