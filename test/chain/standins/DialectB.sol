// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FlatJobsWithBytes} from "./Jobs.sol";

/// @notice The calls of the text, and the hook told in JobCreated, as the contract drafted beside the text has it.
contract DialectB is FlatJobsWithBytes {
    event JobCreated(
        uint256 indexed jobId,
        address indexed client,
        address indexed provider,
        address evaluator,
        uint256 expiredAt,
        address hook
    );
    event BudgetSet(uint256 indexed jobId, uint256 amount);
    event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount);

    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook
    ) external {
        _create(provider, evaluator, expiredAt, description, hook);
        emit JobCreated(last, msg.sender, provider, evaluator, expiredAt, hook);
    }

    function setProvider(uint256 jobId, address provider, bytes calldata) external {
        jobs[jobId].provider = provider;
    }

    function setBudget(uint256 jobId, uint256 amount, bytes calldata) external {
        _price(jobId, amount);
        emit BudgetSet(jobId, amount);
    }

    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external {
        Job storage job = _move(jobId, JobStatus.Funded);
        emit JobFunded(jobId, job.client, expectedBudget);
    }
}
