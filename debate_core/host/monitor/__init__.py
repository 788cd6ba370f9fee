"""Monitoring of one process: metrics, log lines, spans. Off unless set."""
